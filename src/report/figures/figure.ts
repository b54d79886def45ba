/** A chart of the report and its data, to be kept outside the page. */
export interface Figure {
  /** Unique in the report: the files' name. */
  readonly id: string;
  readonly title: string;
  readonly svg: string;
  readonly width: number;
  readonly height: number;
  readonly data: FigureData;
  /** The same in a few rows, to be read beside the chart; absent where `data` has no more than that. */
  readonly digest?: FigureData;
  /** What its marks mean, where the page says so beside the chart. */
  readonly legend: readonly LegendEntry[];
}

export interface LegendEntry {
  readonly name: string;
  /** SVG, 26 wide and 12 high. */
  readonly mark: string;
}

/** What a chart draws, as a table: values are in the units of the column's name, as in the results. */
export interface FigureData {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}
