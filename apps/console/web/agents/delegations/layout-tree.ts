import { hierarchy, tree } from 'd3-hierarchy';

/** One delegation, as far as its place in the drawing depends on it. */
export type Link = { readonly id: string; readonly from: string; readonly parent_id: string | null };

/** A box of the drawing: a person, a delegation to an agent, or the delegations beyond those that are drawn. */
export type Box<Edge extends Link> = {
  readonly key: string;
  readonly kind: 'root' | 'edge' | 'more';
  /** The delegation; undefined for a person and for the rest. */
  readonly edge: Edge | undefined;
  /** Id of the person at the root. */
  readonly from: string;
  /** How many are not drawn, for `more`. */
  readonly hidden: number;
  readonly x: number;
  readonly y: number;
  readonly parent: string | undefined;
};

export type Drawing<Edge extends Link> = { readonly boxes: readonly Box<Edge>[]; readonly width: number; readonly height: number };

export const BOX = { width: 210, height: 44, gapX: 70, gapY: 14 } as const;
/** Indentation of each step of a drawing that is read downwards. */
const INDENT = 24;
/** Steps that are indented further; deeper ones stay below each other, so that the drawing fits on a phone. */
const INDENTS_MAX = 5;
/** Delegations drawn below one box; the others are in the table. */
const DRAWN_MAX = 12;

type Item<Edge> = {
  readonly key: string;
  readonly kind: Box<Link>['kind'];
  readonly edge?: Edge;
  readonly from: string;
  readonly hidden: number;
};

const buildHierarchy = <Edge extends Link>(edges: readonly Edge[]) => {
  const ids = new Set(edges.map(({ id }) => id));
  const below = Map.groupBy(edges, ({ parent_id, from }) => (parent_id !== null && ids.has(parent_id) ? parent_id : `from ${from}`));
  const roots = [...below.keys()].filter((key) => key.startsWith('from '));
  const listChildren = ({ key, kind }: Item<Edge>): Item<Edge>[] => {
    if (kind === 'more') return [];
    const children =
      key === '' ? roots.map((root): Item<Edge> => ({ key: root, kind: 'root', from: root.slice('from '.length), hidden: 0 })) : [];
    const own = below.get(key) ?? [];
    const drawn = own.slice(0, DRAWN_MAX).map((edge): Item<Edge> => ({ key: edge.id, kind: 'edge', edge, from: edge.from, hidden: 0 }));
    const hidden = own.length - drawn.length;
    const more: Item<Edge>[] = hidden === 0 ? [] : [{ key: `more ${key}`, kind: 'more', from: '', hidden }];
    return [...children, ...drawn, ...more];
  };
  return hierarchy<Item<Edge>>({ key: '', kind: 'root', from: '', hidden: 0 }, listChildren);
};

type Placed<Edge> = { readonly data: Item<Edge>; readonly parent: { readonly data: Item<Edge> } | null };

const toBox = <Edge extends Link>({ data, parent }: Placed<Edge>, x: number, y: number): Box<Edge> => ({
  ...data,
  edge: data.edge,
  x,
  y,
  parent: parent === null || parent.data.key === '' ? undefined : parent.data.key,
});

const measure = <Edge extends Link>(boxes: readonly Box<Edge>[]): Drawing<Edge> => ({
  boxes,
  width: Math.max(0, ...boxes.map(({ x }) => x)) + BOX.width,
  height: Math.max(0, ...boxes.map(({ y }) => y)) + BOX.height,
});

/** Places the boxes: people at the left, each delegation right of the one that it derives from. */
export const layOut = <Edge extends Link>(edges: readonly Edge[]): Drawing<Edge> => {
  const placed = tree<Item<Edge>>().nodeSize([BOX.height + BOX.gapY, BOX.width + BOX.gapX])(buildHierarchy(edges));
  const nodes = placed.descendants().filter(({ data }) => data.key !== '');
  const top = Math.min(0, ...nodes.map(({ x }) => x));
  return measure(nodes.map((node) => toBox(node, node.y - (BOX.width + BOX.gapX), node.x - top)));
};

/** Places the boxes below each other, each delegation indented below the one that it derives from: the drawing fits on a phone. */
export const layOutDownwards = <Edge extends Link>(edges: readonly Edge[]): Drawing<Edge> => {
  const nodes: Box<Edge>[] = [];
  buildHierarchy(edges).eachBefore((node) => {
    if (node.data.key !== '')
      nodes.push(toBox(node, Math.min(node.depth - 1, INDENTS_MAX) * INDENT, nodes.length * (BOX.height + BOX.gapY)));
  });
  return measure(nodes);
};
