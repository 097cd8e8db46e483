//! What a bot may use, and which calls of the system it may not make.

use super::SandboxPolicy;
use super::launcher::told;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch, apply_filter};
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;

/// Files that it may have open at a time.
const OPEN_FILES: u64 = 256;

/// Limits this process and all that it becomes and starts; `others` are processes that are counted with it.
pub(super) fn limit(fence: &SandboxPolicy, others: u64) -> Result<(), String> {
    let set = |resource, current: u64, maximum: u64| {
        // Nobody may raise a limit of our own.
        let most = getrlimit(resource).maximum.unwrap_or(u64::MAX);
        let limit = Rlimit { current: Some(current.min(most)), maximum: Some(maximum.min(most)) };
        setrlimit(resource, limit).map_err(told("limits"))
    };
    let exactly = |resource, most| set(resource, most, most);
    exactly(Resource::Core, 0)?;
    exactly(Resource::Nofile, OPEN_FILES)?;
    exactly(Resource::Fsize, fence.scratch)?;
    exactly(Resource::Nproc, fence.processes.saturating_add(others))?;
    if let Some(bytes) = fence.memory {
        exactly(Resource::As, bytes)?;
    }
    // The soft limit's signal tells why; the hard one's would not.
    fence.cpu.map_or(Ok(()), |seconds| set(Resource::Cpu, seconds, seconds + 1))
}

/// How many processes and threads this user has, which the limit on their number counts too.
pub(super) fn processes_of_this_user() -> u64 {
    let user = rustix::process::getuid().as_raw();
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let own = entries.filter(|entry| {
        let number = entry.file_name().to_string_lossy().bytes().all(|byte| byte.is_ascii_digit());
        number && entry.metadata().is_ok_and(|found| found.uid() == user)
    });
    let threads = |entry: std::fs::DirEntry| {
        std::fs::read_dir(entry.path().join("task")).map_or(1, |threads| threads.count() as u64)
    };
    own.map(threads).sum()
}

/// Which calls are denied.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Denied {
    /// Those that change the system or look into other processes.
    Dangerous,
    /// Also sockets, where no namespace keeps the network away.
    Sockets,
    /// Also signals to others, where nothing keeps those away either.
    SocketsAndSignals,
}

const DANGEROUS: &[i64] = &[
    libc::SYS_acct,
    libc::SYS_add_key,
    libc::SYS_bpf,
    libc::SYS_chroot,
    libc::SYS_delete_module,
    libc::SYS_finit_module,
    libc::SYS_fsopen,
    libc::SYS_init_module,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_uring_setup,
    libc::SYS_kcmp,
    libc::SYS_kexec_load,
    libc::SYS_keyctl,
    libc::SYS_mount,
    libc::SYS_move_mount,
    libc::SYS_open_by_handle_at,
    libc::SYS_open_tree,
    libc::SYS_perf_event_open,
    libc::SYS_pivot_root,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_ptrace,
    libc::SYS_quotactl,
    libc::SYS_reboot,
    libc::SYS_request_key,
    libc::SYS_setns,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_syslog,
    libc::SYS_umount2,
    libc::SYS_unshare,
    libc::SYS_userfaultfd,
];

const SOCKETS: &[i64] = &[libc::SYS_pidfd_getfd, libc::SYS_prlimit64, libc::SYS_socket];

const SIGNALS: &[i64] = &[libc::SYS_kill, libc::SYS_pidfd_open, libc::SYS_pidfd_send_signal, libc::SYS_tkill];

/// From here on these calls fail, in this process and all that it becomes and starts.
pub(super) fn deny(denied: Denied) -> Result<(), String> {
    let sockets = if denied == Denied::Dangerous { &[] } else { SOCKETS };
    let signals = if denied == Denied::SocketsAndSignals { SIGNALS } else { &[] };
    let rules: BTreeMap<i64, Vec<_>> =
        DANGEROUS.iter().chain(sockets).chain(signals).map(|&call| (call, Vec::new())).collect();
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(told("seccomp"))?;
    let forbidden = SeccompAction::Errno(libc::EPERM as u32);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, forbidden, arch).map_err(told("seccomp"))?;
    let program = BpfProgram::try_from(filter).map_err(told("seccomp"))?;
    apply_filter(&program).map_err(told("seccomp"))
}
