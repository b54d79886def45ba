import type { MachineView } from "../machines/machine-view.ts";
import { BalanceIndex } from "./indexes/balance-index.ts";
import { LevelIndex } from "./indexes/level-index.ts";
import { OrderIndex } from "./indexes/order-index.ts";

/** The indexes over some machines. Each is made when a heuristic first needs it, and is shared from then on. */
export class Indexes {
  private readonly machines: MachineView;
  private order: OrderIndex | undefined;
  private cores: LevelIndex | undefined;
  private memory: LevelIndex | undefined;
  private balanced: BalanceIndex | undefined;

  constructor(machines: MachineView) {
    this.machines = machines;
  }

  inPoolOrder(): OrderIndex {
    return (this.order ??= new OrderIndex(this.machines));
  }

  byFreeCores(): LevelIndex {
    return (this.cores ??= new LevelIndex(this.machines, "cores"));
  }

  byFreeMemory(): LevelIndex {
    return (this.memory ??= new LevelIndex(this.machines, "memory"));
  }

  byBalance(): BalanceIndex {
    return (this.balanced ??= new BalanceIndex(this.machines));
  }
}
