const AGE = 0.95;
const HUGE = 1e100;

/** Variables by how often they were part of a conflict of late: a heap, the most telling one on top. */
export const newOrder = (variables: number) => {
  const scores = new Float64Array(variables);
  const heap = Array.from({ length: variables }, (_, variable) => variable);
  const places = Int32Array.from(heap);
  let step = 1;

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
  const down = (from: number): void => {
    for (let place = from; ; ) {
      const left = 2 * place + 1;
      if (left >= heap.length) return;
      const child = left + 1 < heap.length && score(left + 1) > score(left) ? left + 1 : left;
      if (score(child) <= score(place)) return;
      swap(child, place);
      place = child;
    }
  };
  const rescale = (): void => {
    for (let variable = 0; variable < variables; variable++) scores[variable] = (scores[variable] ?? 0) / HUGE;
    step /= HUGE;
  };
  return {
    /** Takes the most telling variable out. */
    next: (): number | undefined => {
      const top = heap[0];
      const last = heap.pop();
      if (top === undefined || last === undefined) return undefined;
      places[top] = -1;
      if (heap.length > 0) {
        heap[0] = last;
        places[last] = 0;
        down(0);
      }
      if (heap.length === 0) places[top] = -1;
      return top;
    },
    putBack: (variable: number): void => {
      if ((places[variable] ?? -1) >= 0) return;
      places[variable] = heap.push(variable) - 1;
      up(heap.length - 1);
    },
    raise: (variable: number): void => {
      scores[variable] = (scores[variable] ?? 0) + step;
      if ((scores[variable] ?? 0) > HUGE) rescale();
      const place = places[variable] ?? -1;
      if (place >= 0) up(place);
    },
    age: (): void => {
      step /= AGE;
    },
  };
};
