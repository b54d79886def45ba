import { InputError, type Farm } from "../workload/index.ts";
import type { ThreadedForecasts } from "./forecasting/forecasts.ts";
import { openFarm, type FarmSurroundings } from "./open-farm.ts";
import { Refusal } from "./refusal.ts";
import { settingsChanged } from "./replica/settings-changed.ts";
import { checkReservation } from "./service/made-reservations.ts";
import type { Service } from "./service/service.ts";
import { isTransient, type Write } from "./store/database.ts";
import {
  madeReservations,
  overReservationsWrite,
  reservationWrite,
  unreservationWrite,
  type MadeReservation,
} from "./store/reservations.ts";

export interface ServedFarmParts {
  readonly around: FarmSurroundings;
  readonly forecasts: ThreadedForecasts;
  /** Reads the farm's file. */
  readonly readFarm: () => Promise<Farm>;
  /** Called when that was read again, and the farm goes on by it. */
  readonly hasRead: () => Promise<void>;
  /** As it was opened, by this farm. */
  readonly service: Service;
  readonly farm: Farm;
}

/** The farm that is served. What changes its rules stops its service, and goes on with another. */
export class ServedFarm {
  private readonly parts: ServedFarmParts;
  private present: { readonly service: Service; readonly farm: Farm };
  private changing: Promise<readonly string[]> | null = null;
  private taking: Promise<void> | null = null;
  private rereading: Promise<readonly string[]> | null = null;

  constructor(parts: ServedFarmParts) {
    this.parts = parts;
    this.present = parts;
  }

  get service(): Service {
    return this.present.service;
  }

  get farm(): Farm {
    return this.present.farm;
  }

  /** Resolves when no change is under way. */
  async settled(): Promise<void> {
    await this.changing?.catch(() => undefined);
  }

  /** Goes on by the farm's file as it is now. Returns what changed, a line each. */
  reload(): Promise<readonly string[]> {
    // Who asks while it is read again is told what became of that.
    this.rereading ??= this.inTurn(() => this.reread()).finally(() => (this.rereading = null));
    return this.rereading;
  }

  /** Goes on with machines that nobody knew when the farm was opened, by the file as it was read. */
  takeMachines(): void {
    const { log } = this.parts.around;
    this.taking ??= this.inTurn(async () => {
      if (!this.service.farm.pools.some(({ isUnknown }) => isUnknown)) return [];
      const changes = await this.goOnWith(this.farm);
      for (const change of changes) log.info({}, `a pool is reached for the first time: ${change}`);
      return changes;
    })
      .then(
        () => undefined,
        (error: unknown) =>
          log.warn({ err: error }, "machines that are known now could not be taken in: that is tried again"),
      )
      .finally(() => (this.taking = null));
  }

  /** @throws Refusal where the farm cannot be so */
  async reserve(reservation: MadeReservation): Promise<void> {
    const { name, actor, reason } = reservation;
    await this.inTurn(async () => {
      const now = this.parts.around.clock.unixSeconds();
      checkReservation(reservation, this.service.farm, now);
      const writes = [overReservationsWrite(now), reservationWrite(reservation)];
      return this.goOnWith(this.farm, writes, [unreservationWrite(name)]);
    });
    await this.tell("reserved", actor, reason === null ? name : `${name}: ${reason}`);
  }

  /** @throws Refusal where nobody has made it */
  async unreserve(name: string, actor: string): Promise<void> {
    await this.inTurn(async () => {
      const made = madeReservations(this.parts.around.database).find((each) => each.name === name);
      if (made === undefined)
        throw new Refusal(
          404,
          `nobody has made a reservation ${JSON.stringify(name)}${inFile(this.service, name)}`,
        );
      return this.goOnWith(this.farm, [unreservationWrite(name)], [reservationWrite(made)]);
    });
    await this.tell("unreserved", actor, name);
  }

  private tell(kind: string, actor: string, text: string): Promise<void> {
    return this.service.loop.act((turn) => turn.event(kind, { actor, text }));
  }

  private async reread(): Promise<readonly string[]> {
    const { around, readFarm, hasRead } = this.parts;
    const changes = await this.goOnWith(await readFarm());
    around.log.info({}, "the farm's file was read again");
    await hasRead();
    return changes;
  }

  /** One after the other. What the farm cannot be is refused. */
  private inTurn(change: () => Promise<readonly string[]>): Promise<readonly string[]> {
    const before: Promise<unknown> = this.changing ?? Promise.resolve();
    const done = before
      .catch(() => undefined)
      .then(change)
      .catch((error: unknown) => {
        throw error instanceof InputError ? goesOn(422, error.message) : error;
      })
      .finally(() => {
        if (this.changing === done) this.changing = null;
      });
    this.changing = done;
    return done;
  }

  /**
   * Stops the service, and goes on with a farm and what is written first.
   *
   * @param undo takes back what was written, where the farm cannot be so and goes on as it was
   * @returns what changed, a line each
   */
  private async goOnWith(
    farm: Farm,
    writes: readonly Write[] = [],
    undo: readonly Write[] = [],
  ): Promise<readonly string[]> {
    const { around, forecasts } = this.parts;
    const before = this.service;
    if (before.writeError !== null) throw goesOn(503, before.writeError);
    await before.stop();
    try {
      if (writes.length > 0) around.database.commit(writes);
      const service = await openFarm(farm, around, before);
      this.present = { service, farm };
      await forecasts.restart();
      forecasts.farmChanged();
    } catch (error) {
      if (undo.length > 0) around.database.commit(undo);
      await this.reopen();
      throw isTransient(error) ? goesOn(503, (error as Error).message) : error;
    }
    return settingsChanged(before.farm, this.service.farm, true);
  }

  /** Goes on by the file as it was. */
  private async reopen(): Promise<void> {
    const { around, forecasts } = this.parts;
    try {
      this.present = { service: await openFarm(this.farm, around, this.service), farm: this.farm };
      await forecasts.restart();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      around.failed(
        new Error(`the farm could not be opened again and ends; jobs run on: ${why}`, { cause: error }),
      );
    }
  }
}

function inFile({ farm: { reservations = [] } }: Service, name: string): string {
  return reservations.some((each) => each.name === name)
    ? ": it is in the farm's file. Take it out there, and type croft reload"
    : "";
}

function goesOn(status: 422 | 503, why: string): Refusal {
  return new Refusal(status, `the farm goes on as it was: ${why}`);
}
