//! How strong an agent that adapts takes its opponent to be: a curve over the game, and a sentence.

use crate::levels::{self, Estimate};
use crate::play::Belief;
use crate::words::Language;
use serde::Serialize;

/// The curve and what it means.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Believes {
    /// In words, as of now.
    says: String,
    /// For each decision of the agent the estimate and how far off it may be.
    points: Vec<(f64, f64)>,
    /// From where to where the scale goes.
    scale: (f64, f64),
    /// Names of places on it.
    marks: Vec<(f64, &'static str)>,
    /// What the next game of the same person may begin with.
    known: Option<String>,
}

impl Believes {
    /// What the first agent that believes something believed, of a person or of another agent.
    pub(crate) fn of(beliefs: &[Belief], of_person: bool, language: Language) -> Option<Believes> {
        let seat = beliefs.first()?.seat;
        let told = |name: &'static str| {
            beliefs.iter().filter(move |belief| belief.seat == seat && belief.name == name)
        };
        let values = |name| told(name).map(|belief| belief.value);
        let alpha: Vec<(f64, f64)> = values(Belief::ALPHA).map(|alpha| (alpha, 0.0)).collect();
        if let Some((last, _)) = alpha.last() {
            let says = format!("{} = {last:.2}", language.say("alpha"));
            return Some(Believes { says, points: alpha, scale: (0.0, 1.0), marks: Vec::new(), known: None });
        }
        let points: Vec<(f64, f64)> = values(Belief::RANK).zip(values(Belief::DOUBT)).collect();
        let &(rank, doubt) = points.last()?;
        let estimate = Estimate { rank, doubt };
        let (weakest, strongest) = estimate.between();
        let [low, high] = [weakest, strongest].map(|strength| levels::title(strength, language));
        let says = match (weakest == strongest, of_person) {
            (true, true) => language.fill("It takes you to be about as strong as “{0}”.", [low]),
            (false, true) => language
                .fill("It takes you to be between “{0}” and “{1}”, and goes on watching.", [low, high]),
            (true, false) => language.fill("It takes its opponent to be about as strong as “{0}”.", [low]),
            (false, false) => language.fill(
                "It takes its opponent to be between “{0}” and “{1}”, and goes on watching.",
                [low, high],
            ),
        };
        let known = of_person.then(|| format!("{rank:.2},{doubt:.2}"));
        Some(Believes { says, points, scale: (0.0, 10.0), marks: levels::marks(language), known })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Language;
    use ranka_core::Seat;

    fn noted(at: usize, rank: f64, doubt: f64) -> Vec<Belief> {
        Belief::noted(
            at,
            Seat::SECOND,
            &[("opponent".into(), rank), ("doubt".into(), doubt), ("theirs".into(), 0.1)],
        )
    }

    #[test]
    fn a_wide_belief_is_told_as_a_range_and_a_narrow_one_by_its_name() {
        let mut beliefs = noted(1, 5.0, 2.0);
        let says = |beliefs: &[Belief]| Believes::of(beliefs, true, Language::English).unwrap();
        assert_eq!(
            says(&beliefs).says,
            "It takes you to be between “Easy” and “Hard”, and goes on watching."
        );
        beliefs.extend(noted(3, 3.2, 0.6));
        let now = says(&beliefs);
        assert_eq!(now.says, "It takes you to be about as strong as “Easy”.");
        assert_eq!(now.points, [(5.0, 2.0), (3.2, 0.6)]);
        assert_eq!(now.known.as_deref(), Some("3.20,0.60"));
        assert_eq!(Estimate::parse("3.20,0.60").unwrap().params(), "opponent=3.20,doubt=1.17");
        for nonsense in ["", "3", "3,", "NaN,1", "11,1", "3,-1", "1,1,1", "opponent=3,doubt=1"] {
            assert_eq!(Estimate::parse(nonsense), None, "{nonsense}");
        }
        assert_eq!(Believes::of(&[], true, Language::English), None);
    }
}
