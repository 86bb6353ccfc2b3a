//! Child processes that never outlive this one.
//!
//! They get a process group of their own (ctrl-c in a terminal reaches only us, and we end them),
//! die when their handle is dropped, and on Linux also when this process is killed: `setpriv`, a
//! part of every Linux distribution's util-linux, sets the parent-death signal. Where it is
//! missing a killed parent leaves the edge running; function binaries end by themselves as soon
//! as their Runtime API is gone.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::mpsc::{Sender, channel};

use tokio::process::{Child, Command};

type Job = Box<dyn FnOnce() + Send>;

/// A command for `program` that dies with this process.
pub fn guarded(program: impl AsRef<OsStr>) -> Command {
    let mut command = match setpriv() {
        Some(setpriv) => {
            let mut command = Command::new(setpriv);
            command.args(["--pdeathsig", "KILL", "--"]).arg(program);
            command
        }
        None => Command::new(program),
    };
    command.kill_on_drop(true).process_group(0);
    command
}

/// Starts a command. The parent-death signal comes when the *thread* that started a child ends,
/// so all children are started by one thread that never does.
///
/// # Errors
/// What the operating system says; the program is missing, most often.
pub async fn spawn(mut command: Command) -> io::Result<Child> {
    let runtime = tokio::runtime::Handle::current();
    let (tell, told) = tokio::sync::oneshot::channel();
    let job = Box::new(move || {
        let _inside = runtime.enter();
        // Nobody waits any more if the receiver is gone; the child is then dropped and killed.
        let _ = tell.send(command.spawn());
    });
    starter().send(job).map_err(|_| io::Error::other("the starting thread is gone"))?;
    told.await.map_err(|_| io::Error::other("the starting thread is gone"))?
}

fn starter() -> &'static Sender<Job> {
    static STARTER: OnceLock<Sender<Job>> = OnceLock::new();
    STARTER.get_or_init(|| {
        let (send, jobs) = channel::<Job>();
        std::thread::spawn(move || jobs.into_iter().for_each(|job| job()));
        send
    })
}

fn setpriv() -> Option<&'static Path> {
    ["/usr/bin/setpriv", "/bin/setpriv"].into_iter().map(Path::new).find(|path| path.exists())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test]
    async fn a_child_outlives_the_task_that_started_it_and_dies_with_its_handle() {
        let mut command = guarded("sleep");
        command.arg("30");
        let child = tokio::spawn(spawn(command)).await.unwrap().unwrap();
        let proc = format!("/proc/{}/stat", child.id().unwrap());
        let alive = || std::fs::read_to_string(&proc).is_ok_and(|s| !s.contains(") Z "));
        assert!(alive());
        drop(child);
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert!(!alive());
    }
}
