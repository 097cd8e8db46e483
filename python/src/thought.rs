//! What agents answer.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use ranka_core::{Candidate as Considered, Scale, Thought as Answer};

/// One action that was considered.
#[pyclass(module = "ranka", frozen, eq, get_all, from_py_object)]
#[derive(Clone, PartialEq)]
pub(crate) struct Candidate {
    /// The action.
    action: String,
    /// Its value for the seat that thinks, more is better.
    value: f64,
    /// Whether it may be worth less: the value is an upper bound.
    at_most: bool,
    /// How often it was tried, for agents that sample.
    visits: Option<u64>,
    /// The expected continuation, starting with the action itself; may be empty.
    pv: Vec<String>,
}

#[pymethods]
impl Candidate {
    #[new]
    #[pyo3(signature = (action, value, visits=None, pv=Vec::new(), at_most=false))]
    fn new(action: String, value: f64, visits: Option<u64>, pv: Vec<String>, at_most: bool) -> Candidate {
        Candidate { action, value, at_most, visits, pv }
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyType>, (String, f64, Option<u64>, Vec<String>, bool)) {
        let Candidate { action, value, at_most, visits, pv } = self.clone();
        (py.get_type::<Candidate>(), (action, value, visits, pv, at_most))
    }

    fn __repr__(&self) -> String {
        format!("Candidate({:?}, {})", self.action, self.value)
    }
}

/// An agent's answer: its choice and, as far as it has them, the reasons.
#[pyclass(module = "ranka", frozen, eq, get_all, from_py_object)]
#[derive(Clone, PartialEq)]
pub(crate) struct Thought {
    /// The action chosen.
    choice: String,
    /// What was considered.
    candidates: Vec<Candidate>,
    /// What the values mean: `score` from 0 to 1, `margin` in points, `own`.
    scale: String,
    /// Positions or playouts looked at.
    nodes: u64,
    /// How far the search looked, in actions.
    depth: u32,
    /// Figures beside the choice, by name.
    notes: Vec<(String, f64)>,
}

#[pymethods]
impl Thought {
    #[new]
    #[pyo3(signature = (choice, candidates=Vec::new(), scale="own", nodes=0, depth=0, notes=Vec::new()))]
    fn new(
        choice: String,
        candidates: Vec<Candidate>,
        scale: &str,
        nodes: u64,
        depth: u32,
        notes: Vec<(String, f64)>,
    ) -> PyResult<Thought> {
        if !["score", "margin", "own"].contains(&scale) {
            return Err(PyValueError::new_err(format!("scale {scale:?}: expected score, margin or own")));
        }
        Ok(Thought { choice, candidates, scale: scale.to_owned(), nodes, depth, notes })
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyType>, (String, Vec<Candidate>, String, u64, u32, Vec<(String, f64)>)) {
        let Thought { choice, candidates, scale, nodes, depth, notes } = self.clone();
        (py.get_type::<Thought>(), (choice, candidates, scale, nodes, depth, notes))
    }

    fn __repr__(&self) -> String {
        format!("Thought({:?}, {} candidates, {} nodes)", self.choice, self.candidates.len(), self.nodes)
    }

    fn _repr_html_(&self) -> String {
        let row = |c: &Candidate| {
            let (open, close) = if c.action == self.choice { ("<b>", "</b>") } else { ("", "") };
            let visits = c.visits.map_or_else(String::new, |visits| visits.to_string());
            let (action, value, line) = (escaped(&c.action), c.value, escaped(&c.pv.join(" ")));
            format!(
                "<tr><td>{open}{action}{close}</td><td>{value:.3}</td><td>{visits}</td><td>{line}</td></tr>"
            )
        };
        let rows: String = self.candidates.iter().map(row).collect();
        format!(
            "<p><b>{}</b>, {} nodes, depth {}</p><table><tr><th>action</th><th>{}</th><th>visits</th><th>line</th></tr>{rows}</table>",
            escaped(&self.choice),
            self.nodes,
            self.depth,
            self.scale
        )
    }
}

/// Text that stands for itself on a page: agents of one's own write what they like.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

impl From<Answer<String>> for Thought {
    fn from(answer: Answer<String>) -> Thought {
        let candidate = |c: Considered<String>| Candidate {
            action: c.action,
            value: c.value,
            at_most: c.at_most,
            visits: c.visits,
            pv: c.pv,
        };
        Thought {
            choice: answer.choice,
            candidates: answer.candidates.into_iter().map(candidate).collect(),
            scale: answer.scale.name().to_owned(),
            nodes: answer.nodes,
            depth: answer.depth,
            notes: answer.notes.into_iter().map(|(name, value)| (name.into_owned(), value)).collect(),
        }
    }
}

impl From<Thought> for Answer<String> {
    fn from(thought: Thought) -> Answer<String> {
        let scale = match thought.scale.as_str() {
            "score" => Scale::Score,
            "margin" => Scale::Margin,
            _ => Scale::Own,
        };
        let considered = |c: Candidate| Considered {
            at_most: c.at_most,
            visits: c.visits,
            pv: c.pv,
            ..Considered::valued(c.action, c.value)
        };
        let candidates = thought.candidates.into_iter().map(considered).collect();
        Answer {
            candidates,
            scale,
            nodes: thought.nodes,
            depth: thought.depth,
            notes: thought.notes.into_iter().map(|(name, value)| (name.into(), value)).collect(),
            ..Answer::plain(thought.choice)
        }
    }
}
