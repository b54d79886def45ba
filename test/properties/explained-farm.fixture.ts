import { Port, WAITING, UNASSIGNED, type EngineSettings } from "../../src/core/index.ts";
import { anyEngine, Draws } from "../../src/core/port/any-engine.fixture.ts";
import { Course, type Coming, type Run } from "../../src/forecast/index.ts";

/** A small random farm in the middle of its work: some jobs run, and others wait. */
export class ExplainedFarm {
  readonly describe: string;
  readonly port: Port;
  readonly settings: EngineSettings;
  readonly now: number;
  /** The jobs that have been started, by number. */
  readonly runs: ReadonlyMap<number, Run>;
  readonly twins: ReadonlyMap<number, number>;
  readonly arrivals: ReadonlyMap<number, number>;
  readonly nextNumber: number;
  private readonly draws: Draws;

  constructor(seed: number) {
    const engine = anyEngine(seed);
    const ask = new Draws(seed + 1_000_003);
    this.draws = new Draws(seed);
    this.describe = `seed ${seed}: ${engine.describe}`;
    this.settings = engine.settings((below) => this.draws.below(below));
    this.port = new Port(this.settings);
    let submitSeconds = 0;
    const coming = (function* (): Generator<Coming> {
      for (let job = 0; job < 60; job++) {
        submitSeconds += ask.of([0, 1, 3, 10]);
        yield { submitSeconds, request: engine.request(ask), runSeconds: ask.of([5, 40, 90, 200]) };
      }
    })();
    const course = new Course({
      port: this.port,
      now: 0,
      runs: new Map(),
      runSecondsOf: () => 50,
      coming,
      firstNumber: 1,
    });
    const steps = 10 + ask.below(60);
    for (let step = 0; step < steps && course.nextSeconds < Infinity; step++) course.step();
    this.now = course.now;
    this.runs = course.runs;
    this.twins = course.twins;
    this.arrivals = course.arrivals;
    this.nextNumber = course.nextNumber;
  }

  /** The numbers of the jobs that wait, in pools and at virtual pools. */
  get waiting(): number[] {
    const { jobs } = this.port.view;
    return [...jobs]
      .filter((handle) => [WAITING, UNASSIGNED].includes(jobs.stateOf(handle)))
      .map((handle) => this.port.numberOf(handle))
      .filter((number) => number > 0);
  }

  /** A copy that goes on by itself, with the same random numbers. */
  copy(): Port {
    const own = new Draws(0);
    own.state = this.draws.state;
    return this.port.fork((below) => own.below(below));
  }
}
