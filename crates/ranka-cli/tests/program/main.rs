//! The program as people and other programs meet it: one binary, so that it links once.

mod listening;
mod run;
mod serve;

mod bots;
mod docs;
mod errors;
mod fire;
mod geister_protocol;
mod help;
mod kalah;
mod lab;
mod league;
mod matches;
mod pipes;
mod play;
mod promises;
mod records;
mod results;
mod spoilt;
mod sprt;
mod stats;
mod tantrix;
mod tournament;
mod tubstap;
mod wire_protocols;
mod words;
