//! A process and all that descend from it.

/// Their numbers, the process itself first, as far as the system tells; who has just been born may be missing.
pub(in crate::stdio) fn family(process: u32) -> Vec<u32> {
    let mut family = vec![process];
    let mut at = 0;
    while let Some(parent) = family.get(at).copied() {
        at += 1;
        for thread in std::fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten() {
            let children = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            let children = children.split_whitespace().filter_map(|child| child.parse().ok());
            // A loop is not to be expected, but what is read here changes while we read.
            let new: Vec<u32> = children.filter(|child| !family.contains(child)).collect();
            family.extend(new);
        }
    }
    family
}
