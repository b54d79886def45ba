import type { Packing } from "./packing.ts";

/**
 * Items in some order, in which the first is found that fits a given room: bits as in
 * `OpenBins`, for each coordinate and size class which items are of that class or a
 * lower one. They do not change while items are packed; those packed are struck off a row of
 * their own.
 */
export class WaitingItems {
  private readonly packing: Packing;
  private readonly items: Int32Array;
  private readonly words: number;
  private readonly rowsAt: Int32Array;
  private readonly rows: Int32Array;
  private readonly waiting: Int32Array;
  /**
   * Entry [class in the first coordinate * #classes + class in the second]: no item of at most
   * these classes waits in the words before the one, or after the other. It stays so: items
   * only go. Without them most of the time went into looking for items for full bins.
   */
  private readonly firstWord: Int32Array;
  private readonly lastWord: Int32Array;
  private readonly classes: number;
  private readonly rowAt: Int32Array;

  constructor(packing: Packing, items: Int32Array) {
    const { width } = packing;
    const { least, classOf, most } = packing.classes();
    this.packing = packing;
    this.items = items;
    this.words = (items.length + 31) >> 5;
    this.classes = most;
    this.firstWord = new Int32Array(most * most);
    this.lastWord = new Int32Array(most * most);
    this.waiting = new Int32Array(this.words);
    this.rowAt = new Int32Array(width);
    this.rowsAt = new Int32Array(width);
    let rows = 0;
    for (let c = 0; c < width; c++) {
      this.rowsAt[c] = rows * this.words;
      rows += least[c].length;
    }
    this.rows = new Int32Array(rows * this.words);
    for (let position = 0; position < items.length; position++)
      for (let c = 0; c < width; c++) {
        const row = classOf[items[position] * width + c];
        this.rows[this.rowsAt[c] + row * this.words + (position >> 5)] |= 1 << position;
      }
    // So far each item is in its own class's row only; it belongs in all above, too.
    for (let c = 0; c < width; c++) {
      const first = this.rowsAt[c] + this.words;
      for (let at = first; at < this.rowsAt[c] + least[c].length * this.words; at++)
        this.rows[at] |= this.rows[at - this.words];
    }
    this.reset();
  }

  /** All items wait again. */
  reset(): void {
    this.firstWord.fill(0);
    this.lastWord.fill(this.words - 1);
    this.waiting.fill(-1);
    const last = this.items.length & 31;
    if (last !== 0) this.waiting[this.words - 1] = (1 << last) - 1;
  }

  /**
   * The position of the first item from `from` on that fits; -1 where there is none.
   * @param classes Entry [coordinate]: the class of the room.
   */
  first(room: Float64Array, classes: Int32Array, from: number): number {
    const { width, size } = this.packing;
    const rows = this.rows;
    const rowAt = this.rowAt;
    const words = this.words;
    for (let c = 0; c < width; c++) {
      if (classes[c] < 0) return -1;
      rowAt[c] = this.rowsAt[c] + classes[c] * words;
    }
    const waiting = this.waiting;
    const second = width > 1 ? 1 : 0;
    const pair = classes[0] * this.classes + classes[second];
    const lastWord = this.lastWord[pair];
    const fromWord = from >> 5;
    let word = this.firstWord[pair];
    if (word >= fromWord) {
      while (word <= lastWord && (waiting[word] & rows[rowAt[0] + word] & rows[rowAt[second] + word]) === 0)
        word++;
      this.firstWord[pair] = word;
    } else {
      word = fromWord;
    }
    let lastSeen = word - 1;
    for (; word <= lastWord; word++) {
      let candidates = waiting[word] & rows[rowAt[0] + word] & rows[rowAt[second] + word];
      if (candidates === 0) continue;
      lastSeen = word;
      if (word === fromWord) candidates &= -1 << from;
      for (let c = 2; c < width; c++) candidates &= rows[rowAt[c] + word];
      while (candidates !== 0) {
        const position = (word << 5) + 31 - Math.clz32(candidates & -candidates);
        const at = this.items[position] * width;
        let c = 0;
        while (c < width && size[at + c] <= room[c]) c++;
        if (c === width) return position;
        candidates &= candidates - 1;
      }
    }
    if (lastSeen < lastWord) this.lastWord[pair] = lastSeen;
    return -1;
  }

  remove(position: number): void {
    this.waiting[position >> 5] &= ~(1 << position);
  }
}
