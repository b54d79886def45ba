import type { MachineView } from "../machines/machine-view.ts";
import { BalanceIndex } from "./indexes/balance-index.ts";
import { LevelIndex } from "./indexes/level-index.ts";
import { OrderIndex } from "./indexes/order-index.ts";

/** The largest amounts that divide every capacity and every request, per resource: milli-cores and MiB. */
export interface Grain {
  readonly cores: number;
  readonly memory: number;
}

/** The indexes over one pool's machines, each made when a heuristic first asks for it and shared from then on. */
export class Indexes {
  private readonly machines: MachineView;
  private readonly grain: Grain;
  private order: OrderIndex | undefined;
  private cores: LevelIndex | undefined;
  private memory: LevelIndex | undefined;
  private balanced: BalanceIndex | undefined;

  constructor(machines: MachineView, grain: Grain) {
    this.machines = machines;
    this.grain = grain;
  }

  inPoolOrder(): OrderIndex {
    return (this.order ??= new OrderIndex(
      this.machines,
      this.grain.cores,
      largest(this.machines.capacityCores),
    ));
  }

  byFreeCores(): LevelIndex {
    const { freeCores, freeMemory, capacityCores } = this.machines;
    return (this.cores ??= new LevelIndex(
      this.machines,
      freeCores,
      freeMemory,
      largest(capacityCores),
      this.grain.cores,
    ));
  }

  byFreeMemory(): LevelIndex {
    const { freeCores, freeMemory, capacityMemory } = this.machines;
    return (this.memory ??= new LevelIndex(
      this.machines,
      freeMemory,
      freeCores,
      largest(capacityMemory),
      this.grain.memory,
    ));
  }

  byBalance(): BalanceIndex {
    return (this.balanced ??= new BalanceIndex(this.machines, this.grain.cores));
  }
}

export function largest(amounts: Int32Array): number {
  let most = 0;
  for (const amount of amounts) if (amount > most) most = amount;
  return most;
}
