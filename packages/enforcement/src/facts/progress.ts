/** Progress of a call, as its destination reports it. Numbers grow. */
export type Progress = {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string /** A part of the result, of a call whose result comes in parts. */;
  readonly part?: Readonly<Record<string, unknown>>;
};
export type OnProgress = (progress: Progress) => void;
