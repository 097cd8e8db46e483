//! The program as people and other programs meet it: one binary, so that it links once.

mod run;

mod kalah;
mod lab;
mod matches;
mod pipes;
mod play;
mod results;
mod stats;
mod tubstap;
mod words;
