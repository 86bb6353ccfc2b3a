//! A finished on-sale, recomputed from what was published; and each single lie in it, refused by name.

use domain::beacon::{self, Chain, Round, SCHEME};
use domain::bytes32::to_hex;
use domain::cohort::{BeaconDraw, Cut, CutAnswer, Leaf, Row, Shard, close, seal};
use domain::draw::{Checked, DrawFile, DrawnBy, EntryProof, EventFacts, Fault, HexHash, SealFile, StatusKey, Verdict};
use domain::draw::{check, check_line, commitment, file_hash};
use domain::ids::EventId;
use domain::merkle::Tree;
use domain::status::{Phase, Status, public_key};
use domain::time::WallMs;

const SECRET: [u8; 32] = [9; 32];
const BEACON: [u8; 64] = [3; 64];
const STATUS: [u8; 32] = [5; 32];
const OPENING: WallMs = WallMs(1_800_000_000_000);
const SEALED: WallMs = WallMs(1_800_000_002_100);

fn event() -> EventId {
    "demo".parse().expect("a valid id")
}

fn chain() -> Chain {
    let public_key = beacon::public_key(&BEACON);
    Chain { chain: [1; 32], public_key, genesis_s: 1_700_000_000, period_s: 3, scheme: SCHEME.into() }
}

fn round(number: u64) -> Round {
    Round { round: number, signature: beacon::sign(&BEACON, number) }
}

/// What a stranger has.
#[derive(Clone)]
struct Told {
    event: EventFacts,
    files: Vec<DrawFile>,
    status: Status,
    proof: EntryProof,
}

impl Told {
    fn check(&self) -> Result<Checked, Fault> {
        let status = self.status.sign(&STATUS).expect("short enough");
        check(&self.event, &self.files, &status).map_err(|refused| refused.fault)
    }
}

/// Two shards, `arrivals` people in each log of a cohort; what a cut answers.
struct Line {
    shards: [Shard; 2],
    leaves: Vec<Leaf>,
}

impl Line {
    fn arrive(&mut self, shard: usize, at: WallMs, people: u8) -> Vec<Leaf> {
        let join = |i| {
            let entry = self.shards[shard].append(OPENING, at);
            self.shards[shard].record(&entry);
            Leaf { pseudonym: [i + 10 * shard as u8; 32], time: entry.time }
        };
        (0..people).map(join).collect()
    }

    fn cut(&mut self, cut: &Cut, people: [u8; 2], at: WallMs) -> Vec<CutAnswer> {
        let both = [0, 1].map(|shard| {
            let leaves = self.arrive(shard, at, people[shard]);
            let (next, answer) = self.shards[shard].cut(cut, &leaves).expect("the next cut");
            self.shards[shard] = next;
            if cut.k == 0 && shard == 1 {
                self.leaves = leaves;
            }
            answer
        });
        both.to_vec()
    }
}

/// Three cohorts, with a beacon or without.
fn told(with_beacon: bool) -> Told {
    let mut line = Line { shards: [0, 1].map(|number| Shard::new(number, 0, None)), leaves: Vec::new() };
    let first = Cut { k: 0, t: OPENING };
    let answers = line.cut(&first, [4, 3], OPENING.plus(-5_000));
    let sealed = seal(None, &first, &[0, 0], &answers).expect("all answered").expect("seven people");
    let drawn = BeaconDraw { sealed: SEALED, round: round(chain().round_for(SEALED)) };
    let mut rows = vec![sealed.draw(&SECRET, with_beacon.then_some(drawn))];
    for (k, people) in [(1, [2, 0]), (2, [1, 5])] {
        let cut = Cut { k, t: OPENING.plus(10_000 * i64::from(k)) };
        let answers = line.cut(&cut, people, cut.t.plus(-1_000));
        rows.push(close(rows.last(), &cut, &[0, 0], &answers, &SECRET).expect("it follows").expect("people"));
    }
    let files: Vec<_> = rows.iter().map(|row| DrawFile::new(&event(), row, commitment(&SECRET))).collect();
    let leaf = |leaf: &Leaf| domain::cohort::entry_leaf(&leaf.pseudonym, leaf.time);
    let path = line.leaves.iter().map(leaf).collect::<Tree>().proof(2, 3).expect("inside");
    let Leaf { pseudonym, time } = line.leaves[2];
    let path = path.into_iter().map(HexHash).collect();
    let proof = EntryProof { event: event(), shard: 1, epoch: 0, index: 2, time_ms: time, pseudonym, k: 0, path };
    Told { event: facts(with_beacon), status: last_status(&rows, &files), files, proof }
}

fn facts(with_beacon: bool) -> EventFacts {
    EventFacts {
        id: event(),
        commitment: commitment(&SECRET),
        beacon: with_beacon.then(chain),
        draw_secret: Some(to_hex(&SECRET)),
        // As after a rotation: the first key is another one.
        status_keys: [[9; 32], STATUS].iter().map(|seed| StatusKey { key: public_key(seed) }).collect(),
        lanes: vec![],
    }
}

fn last_status(rows: &[Row], files: &[DrawFile]) -> Status {
    Status {
        v: 1,
        event: event(),
        beat: 77,
        phase: Phase::Closed,
        clock: (0, 0, 0),
        opens: OPENING,
        admitted: 9,
        given: rows.last().map_or(0, Row::given),
        joined: 15,
        turns: 0,
        moved: None,
        why: None,
        rate: 60,
        bands: [].into(),
        draw: files.first().map(|file| file_hash(&file.to_bytes())),
        rev: 0,
        msg: None,
        fresh: WallMs(0),
        next: 1_000,
        seal: None,
        lanes: vec![],
    }
}

#[test]
fn an_honest_on_sale_is_verified_or_called_what_it_is() {
    let verified = told(true).check().expect("nothing is wrong");
    let due = chain().time_of(chain().round_for(SEALED));
    assert_eq!((verified.verdict, verified.cohorts, verified.places), (Verdict::Verified, 3, 15));
    assert_eq!(verified.sealed_and_due_ms, Some((SEALED, due)));
    assert!(due >= SEALED.plus(beacon::LEAD_MS));
    assert_eq!(told(false).check().expect("nothing is wrong").verdict, Verdict::DrawnByOrganiser);
    let mut early = told(true);
    early.event.draw_secret = None;
    assert_eq!(early.check().expect("nothing is wrong").verdict, Verdict::SecretNotPublished);
    let drawn_by = told(true).files.iter().map(|file| file.drawn_by).collect::<Vec<_>>();
    assert_eq!(drawn_by, [DrawnBy::Beacon, DrawnBy::Chained, DrawnBy::Chained]);
}

#[test]
fn a_draw_without_the_beacon_that_was_named_is_the_organisers() {
    let mut told = told(false);
    told.event.beacon = Some(chain());
    assert_eq!(told.check().expect("nothing is wrong").verdict, Verdict::DrawnByOrganiser);
}

/// A lane's draws are checked as the main line's, but for the beacon; the status counts its places by themselves.
#[test]
fn a_lanes_draws_are_the_organisers_and_checked_all_the_same() {
    let Told { event, files, mut status, .. } = told(false);
    let event = EventFacts { beacon: Some(chain()), ..event };
    (status.given, status.admitted, status.draw) = (0, 0, None);
    let check = |lane: u8, lanes: Vec<(u64, u64)>, files: &[DrawFile]| {
        let status = Status { lanes, ..status.clone() }.sign(&STATUS).expect("short enough");
        check_line(&event, lane, files, &status).map_err(|refused| refused.fault)
    };
    let good = check(2, vec![(0, 0), (9, 15)], &files).expect("nothing is wrong");
    assert_eq!((good.verdict, good.places, good.admitted), (Verdict::DrawnByOrganiser, 15, 9));
    assert_eq!(check(2, vec![(0, 0), (9, 14)], &files), Err(Fault::Given));
    assert_eq!(check(2, vec![(9, 15)], &files), Err(Fault::Given), "there is no such lane");
    assert_eq!(check(1, vec![(9, 15)], &told(true).files), Err(Fault::Beacon), "no lane has a beacon");
    assert_eq!(check(255, vec![], &files[..1]).expect("a registration").verdict, Verdict::DrawnByOrganiser);
}

/// A lie, told to a stranger.
type Lie = fn(&mut Told);

#[test]
fn each_single_lie_is_refused_by_name() {
    let lies: [(&str, Lie, Fault); 22] = [
        ("another event", |t| t.files[1].event = "other".parse().expect("an id"), Fault::Foreign),
        ("a cohort is missing", |t| drop(t.files.remove(1)), Fault::Foreign),
        ("the last cohort is missing", |t| drop(t.files.pop()), Fault::Given),
        ("one person more", |t| t.files[0].n += 1, Fault::Cuts),
        ("one person in two cohorts", |t| (t.files[2].cuts[1].from, t.files[2].n) = (1, 7), Fault::Chain),
        ("a later root of a log at rest", |t| t.files[2].cuts[0].root = [0; 32], Fault::Chain),
        ("a log vanishes", |t| t.files[1].cuts.retain(|cut| (cut.shard, cut.epoch) != (1, 0)), Fault::Chain),
        ("back in time", |t| t.files[2].t_ms = OPENING, Fault::Chain),
        ("a gap in the numbers", |t| t.files[1].base += 1, Fault::Base),
        ("an entry was changed", |t| t.files[2].cuts[3].root = [7; 32], Fault::Seed),
        ("another seed", |t| t.files[1].seed = [0; 32], Fault::Seed),
        ("another secret", |t| t.event.draw_secret = Some(to_hex(&[8; 32])), Fault::Secret),
        ("a later round", later_round, Fault::Round),
        ("sealed before the opening", |t| sealed_at(t, OPENING.plus(-1)), Fault::Round),
        ("sealed later than told", |t| sealed_at(t, SEALED.plus(9_000)), Fault::Round),
        ("a forged signature", forged, Fault::Signature),
        ("randomness of its own", |t| randomness(t, [0; 32]), Fault::Beacon),
        ("a beacon for later cohorts only", |t| t.files[1].beacon = None, Fault::Beacon),
        ("an organiser who claims a beacon", |t| t.event.beacon = None, Fault::Beacon),
        ("another draw was named", |t| t.status.draw = Some(file_hash(b"other")), Fault::Named),
        ("more places than drawn", |t| t.status.given += 1, Fault::Given),
        ("admitted beyond the line", |t| t.status.admitted = 16, Fault::Given),
    ];
    for (name, lie, fault) in lies {
        let mut told = told(true);
        lie(&mut told);
        assert_eq!(told.check().expect_err(name), fault, "{name}");
    }
}

fn part(told: &mut Told, change: impl Fn(&mut domain::draw::BeaconPart)) {
    told.files.iter_mut().for_each(|file| file.beacon.iter_mut().for_each(&change));
}

fn later_round(told: &mut Told) {
    part(told, |part| {
        let later = round(part.round + 1);
        (part.round, part.signature, part.randomness) = (later.round, later.signature, later.randomness());
    });
}

fn sealed_at(told: &mut Told, at: WallMs) {
    part(told, |part| part.sealed_ms = at);
}

fn forged(told: &mut Told) {
    part(told, |part| {
        let own = Round { round: part.round, signature: beacon::sign(&[4; 64], part.round) };
        (part.signature, part.randomness) = (own.signature, own.randomness());
    });
}

fn randomness(told: &mut Told, random: [u8; 32]) {
    part(told, |part| part.randomness = random);
}

#[test]
fn a_status_of_somebody_else_is_refused() {
    let told = told(true);
    let forged = told.status.sign(&[6; 32]).expect("short enough");
    assert_eq!(check(&told.event, &told.files, &forged).map_err(|r| r.fault), Err(Fault::Status));
}

#[test]
fn ones_own_entry_is_proved_and_any_other_is_not() {
    let Told { files, proof, .. } = told(true);
    assert_eq!(proof.place(&files[0]), Ok(files[0].place_of(1, 0, 2).expect("it is in the cohort")));
    let lies: [fn(&mut EntryProof); 6] = [
        |p| p.pseudonym = [0; 32],
        |p| p.time_ms = p.time_ms.plus(1),
        |p| p.index = 1,
        |p| p.shard = 0,
        |p| p.epoch = 1,
        |p| p.path.clear(),
    ];
    for (at, lie) in lies.into_iter().enumerate() {
        let mut proof = proof.clone();
        lie(&mut proof);
        assert_eq!(proof.place(&files[0]), Err(Fault::Proof), "lie {at}");
    }
    assert_eq!(proof.place(&files[1]), Err(Fault::Foreign), "another cohort's file");
}

#[test]
fn whoever_kept_the_seal_finds_it_in_the_draw() {
    let Told { files, .. } = told(true);
    let kept = SealFile::of_draw(&files[0]).expect("it was sealed");
    assert_eq!(serde_json::from_str::<SealFile>(&kept.text()).expect("it reads"), kept);
    let mut other = files[0].clone();
    other.cuts[0].root = [7; 32];
    assert_ne!(SealFile::of_draw(&other).expect("it was sealed").hash(), kept.hash(), "another list, another seal");
    assert_eq!(SealFile::of_draw(&files[1]), None);
}
