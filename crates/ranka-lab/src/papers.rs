//! The papers whose experiments come with the program.

use crate::experiment::{Experiment, Size};
use include_dir::{Dir, include_dir};
use ranka_core::{Error, unknown};
use serde::{Deserialize, Serialize};

static PAPERS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../papers");

/// A paper.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Paper {
    /// Its name on the command line: the folder's.
    #[serde(skip_deserializing)]
    pub name: String,
    /// Its title.
    pub title: String,
    /// Who wrote it, and where and when it appeared.
    pub source: String,
    /// What it asks and finds, in a few sentences.
    pub summary: String,
    /// What should be known of this reproduction.
    pub note: String,
    /// Its experiments in their order: name and the file's text.
    #[serde(skip)]
    pub experiments: Vec<(String, &'static str)>,
}

impl Paper {
    /// What stands for a paper around an experiment of one's own.
    pub fn of_one(name: &str, experiment: &Experiment) -> Paper {
        Paper {
            name: name.to_owned(),
            title: experiment.title.clone(),
            source: String::new(),
            summary: String::new(),
            note: String::new(),
            experiments: Vec::new(),
        }
    }

    /// An experiment, ready to run.
    pub fn experiment(&self, name: &str) -> Result<Experiment, Error> {
        let known: Vec<&str> = self.experiments.iter().map(|(name, _)| name.as_str()).collect();
        let found = self.experiments.iter().find(|(of, _)| of == name);
        let (name, source) = found.ok_or_else(|| {
            Error::not_found(unknown(&format!("experiment of {}", self.name), name, &known))
        })?;
        Experiment::parse(&format!("{}/{name}", self.name), source)
    }
}

/// All papers, by name.
pub fn papers() -> Result<Vec<Paper>, Error> {
    let mut papers: Vec<Paper> = PAPERS.dirs().map(paper).collect::<Result<_, _>>()?;
    papers.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(papers)
}

/// The papers and experiments that `PAPER` or `PAPER/EXPERIMENT` names; all without a name.
pub fn named(name: Option<&str>) -> Result<Vec<(Paper, Vec<String>)>, Error> {
    let all = papers()?;
    let every = |paper: &Paper| paper.experiments.iter().map(|(name, _)| name.clone()).collect();
    let Some(name) = name else {
        return Ok(all.into_iter().map(|paper| (paper.clone(), every(&paper))).collect());
    };
    let (paper, experiment) = name.split_once('/').map_or((name, None), |(paper, rest)| (paper, Some(rest)));
    let known: Vec<&str> = all.iter().map(|paper| paper.name.as_str()).collect();
    let found = all.iter().find(|of| of.name == paper);
    let found = found.ok_or_else(|| Error::not_found(unknown("paper", paper, &known)))?;
    let experiments = match experiment {
        None => every(found),
        Some(experiment) => {
            found.experiment(experiment)?;
            vec![experiment.to_owned()]
        }
    };
    Ok(vec![(found.clone(), experiments)])
}

/// An experiment in a list, with how many games it has.
#[derive(Debug, Serialize)]
pub struct Listed {
    /// Its name, as PAPER/EXPERIMENT.
    pub name: String,
    /// What it is called.
    pub title: String,
    /// How many games it has.
    pub games: ListedGames,
}

/// How many games an experiment has at each size.
#[derive(Debug, Serialize)]
pub struct ListedGames {
    /// To see that it works.
    pub quick: u64,
    /// As in the paper.
    pub paper: u64,
    /// For a verdict.
    pub full: u64,
}

/// The experiments that [`named`] chose.
pub fn listed(chosen: &[(Paper, Vec<String>)]) -> Result<Vec<Listed>, Error> {
    let each = chosen.iter().flat_map(|(paper, names)| names.iter().map(move |name| paper.experiment(name)));
    let listed = |experiment: Experiment| {
        let [quick, paper, full] = [Size::Quick, Size::Paper, Size::Full].map(|size| experiment.games(size));
        Listed { name: experiment.name, title: experiment.title, games: ListedGames { quick, paper, full } }
    };
    each.map(|experiment| experiment.map(listed)).collect()
}

fn paper(folder: &'static Dir<'_>) -> Result<Paper, Error> {
    let name = folder.path().to_string_lossy().into_owned();
    let mut experiments = Vec::new();
    let mut told = None;
    let mut files: Vec<_> = folder.files().collect();
    files.sort_by_key(|file| file.path().to_owned());
    for file in files {
        let (Some(stem), Some("toml"), Some(text)) = (
            file.path().file_stem().and_then(|stem| stem.to_str()),
            file.path().extension().and_then(|extension| extension.to_str()),
            file.contents_utf8(),
        ) else {
            continue;
        };
        match stem {
            "paper" => told = Some(text),
            _ => experiments.push((stem.to_owned(), text)),
        }
    }
    let place = || format!("papers/{name}/paper.toml");
    let told = told.ok_or_else(|| Error::internal("it is missing").at(place()))?;
    let paper: Paper = toml::from_str(told).map_err(|e| Error::internal(e.to_string()).at(place()))?;
    Ok(Paper { name, experiments, ..paper })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Origin;

    #[test]
    fn every_experiment_that_comes_with_the_program_can_be_run() {
        let papers = papers().unwrap();
        assert!(papers.iter().any(|paper| paper.name == "kalah"));
        for paper in papers {
            assert!(!paper.experiments.is_empty(), "{}", paper.name);
            for (name, _) in &paper.experiments {
                if let Err(error) = paper.experiment(name) {
                    panic!("{error}");
                }
            }
        }
    }

    /// How many reference figures of a paper's experiments come from the paper, a solver and a trial.
    fn figures(paper: &str) -> [usize; 3] {
        let [(paper, names)] = &named(Some(paper)).unwrap()[..] else { panic!("it is one paper") };
        let experiments = names.iter().map(|name| paper.experiment(name).unwrap());
        let rows = experiments.flat_map(|experiment| experiment.rows);
        let origins: Vec<Origin> = rows.filter_map(|row| Some(row.reference?.origin)).collect();
        [Origin::Paper, Origin::Solver, Origin::Trial]
            .map(|which| origins.iter().filter(|&&origin| origin == which).count())
    }

    #[test]
    fn no_figure_of_kalah_is_called_the_papers() {
        // The paper's table is lost: everything is computed or sampled by an independent program.
        assert_eq!(figures("kalah"), [0, 91, 70]);
        for (paper, _) in named(Some("kalah")).unwrap() {
            for (name, source) in &paper.experiments {
                assert!(!source.to_lowercase().contains("published"), "kalah/{name}");
                let origins = paper.experiment(name).unwrap().origins();
                assert!(!origins.iter().any(|origin| origin == Origin::Paper), "kalah/{name}");
            }
        }
    }

    #[test]
    fn the_other_papers_figures_are_theirs_but_for_labyrinths_trial() {
        for paper in ["geister-2021", "tantrix-2020", "tubstap-2015"] {
            let [of_paper, solver, trial] = figures(paper);
            assert!(of_paper > 0, "{paper}");
            assert_eq!([solver, trial], [0, 0], "{paper}");
        }
        // Five budgets and two versions of Big Brain against five criteria.
        assert_eq!(figures("labyrinth-2024")[1..], [0, 35]);
    }
}
