/** A heap of numbers. The place of the first in the order may change; call `moveFirst` then. */
export class Heap {
  /** The first is `items[0]`; the others are in heap order. */
  readonly items: number[] = [];
  private readonly comesBefore: (one: number, other: number) => boolean;

  constructor(comesBefore: (one: number, other: number) => boolean) {
    this.comesBefore = comesBefore;
  }

  /** Call it after `items` was filled by hand. */
  order(): void {
    for (let at = (this.items.length >> 1) - 1; at >= 0; at--) this.sink(at, this.items[at]);
  }

  push(item: number): void {
    const { items } = this;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (this.comesBefore(items[above], item)) break;
      items[at] = items[above];
      at = above;
    }
    items[at] = item;
  }

  pop(): number {
    const { items } = this;
    const first = items[0];
    const last = items.pop()!;
    if (items.length > 0) this.sink(0, last);
    return first;
  }

  /** Restores the order after the first item has moved back. */
  moveFirst(): void {
    this.sink(0, this.items[0]);
  }

  private sink(at: number, item: number): void {
    const { items } = this;
    for (;;) {
      let below = at * 2 + 1;
      if (below >= items.length) break;
      if (below + 1 < items.length && this.comesBefore(items[below + 1], items[below])) below++;
      if (this.comesBefore(item, items[below])) break;
      items[at] = items[below];
      at = below;
    }
    items[at] = item;
  }
}
