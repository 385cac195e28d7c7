const AGE = 0.95;
const HUGE = 1e100;

/** Keeps numbers below `count`, the one with the highest score on top [binary heap for VSIDS]. */
const newHeap = (count: number, scores: Float64Array) => {
  const heap = Array.from({ length: count }, (_, one) => one);
  const places = Int32Array.from(heap);
  const score = (place: number): number => scores[heap[place] ?? 0] ?? 0;
  const swap = (left: number, right: number): void => {
    const [a, b] = [heap[left] as number, heap[right] as number];
    heap[left] = b;
    heap[right] = a;
    places[b] = left;
    places[a] = right;
  };
  const up = (from: number): void => {
    for (let place = from; place > 0 && score(place) > score((place - 1) >> 1); place = (place - 1) >> 1) swap(place, (place - 1) >> 1);
  };
  const down = (): void => {
    for (let place = 0; ; ) {
      const left = 2 * place + 1;
      if (left >= heap.length) return;
      const child = left + 1 < heap.length && score(left + 1) > score(left) ? left + 1 : left;
      if (score(child) <= score(place)) return;
      swap(child, place);
      place = child;
    }
  };
  return {
    pop: (): number | undefined => {
      const [top] = heap;
      if (top === undefined) return undefined;
      swap(0, heap.length - 1);
      heap.pop();
      places[top] = -1;
      down();
      return top;
    },
    push: (one: number): void => {
      if ((places[one] ?? -1) >= 0) return;
      places[one] = heap.push(one) - 1;
      up(heap.length - 1);
    },
    rise: (one: number): void => up(places[one] ?? -1),
  };
};

/** Orders variables by their recent conflicts, most first [VSIDS: variable state independent decaying sum, decay 0.95]. */
export const newOrder = (variables: number) => {
  const scores = new Float64Array(variables);
  const heap = newHeap(variables, scores);
  let step = 1;
  const rescale = (): void => {
    for (let variable = 0; variable < variables; variable++) scores[variable] = (scores[variable] ?? 0) / HUGE;
    step /= HUGE;
  };
  return {
    /** Removes and returns the highest-ranked variable. */
    next: heap.pop,
    putBack: heap.push,
    raise: (variable: number): void => {
      scores[variable] = (scores[variable] ?? 0) + step;
      if ((scores[variable] ?? 0) > HUGE) rescale();
      heap.rise(variable);
    },
    age: (): void => {
      step /= AGE;
    },
  };
};
