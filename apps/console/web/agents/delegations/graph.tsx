import { type KeyboardEvent, type ReactNode, useMemo, useRef } from 'react';
import { formatCeiling } from '../../actions/actions/authority.tsx';
import { useIsNarrow } from '../../data/use-is-narrow.ts';
import type { Edge } from './edge.ts';
import { BOX, type Box, layOut, layOutDownwards } from './layout-tree.ts';

type GraphProps = {
  readonly edges: readonly Edge[];
  readonly nameOf: (id: string) => string;
  /** The delegation that the address names, and those that end with it. */
  readonly selected: string | undefined;
  readonly onSelect: (delegationId: string) => void;
};

const NAME_MAX = 30;
const MARGIN = 4;

const short = (text: string): string => (text.length > NAME_MAX ? `${text.slice(0, NAME_MAX - 1)}…` : text);

/** From the right side of a box to the left side of the one below it. */
const curve = (from: Box<Edge>, to: Box<Edge>): string => {
  const [x1, y1] = [from.x + BOX.width, from.y + BOX.height / 2];
  const [x2, y2] = [to.x, to.y + BOX.height / 2];
  const middle = (x1 + x2) / 2;
  return `M${x1},${y1}C${middle},${y1} ${middle},${y2} ${x2},${y2}`;
};

const STEP = 12;

/** From below the left side of a box to the left side of one that is indented below it. */
const elbow = (from: Box<Edge>, to: Box<Edge>): string =>
  `M${from.x + STEP},${from.y + BOX.height}V${to.y + BOX.height / 2}H${Math.max(to.x, from.x + STEP)}`;

/** The keys of the boxes at the selected one and below it, which end together. */
const findEnding = (boxes: readonly Box<Edge>[], selected: string | undefined): ReadonlySet<string> => {
  const found = new Set(selected === undefined ? [] : [selected]);
  // Parents stand before their children.
  for (const { key, parent } of boxes) if (parent !== undefined && found.has(parent)) found.add(key);
  return found;
};

const neighbour = (boxes: readonly Box<Edge>[], box: Box<Edge>, key: string): Box<Edge> | undefined => {
  if (key === 'ArrowLeft') return boxes.find((each) => each.key === box.parent);
  if (key === 'ArrowRight') return boxes.find((each) => each.parent === box.key);
  const siblings = boxes.filter((each) => each.parent === box.parent);
  const at = siblings.findIndex((each) => each.key === box.key);
  if (key === 'ArrowUp') return siblings[at - 1];
  return key === 'ArrowDown' ? siblings[at + 1] : undefined;
};

const boxLines = ({ kind, edge, from, hidden }: Box<Edge>, nameOf: GraphProps['nameOf']): readonly [string, string] => {
  if (kind === 'more') return [`${hidden} more`, 'in the table'];
  if (edge === undefined) return [nameOf(from), 'delegates'];
  return [nameOf(edge.to), edge.status === 'ACTIVE' ? formatCeiling(edge.ceiling) || 'no ceiling' : edge.status.toLowerCase()];
};

/** The delegations as a drawing, from people at the left to the last agent. The arrow keys move along it. */
export const Graph = ({ edges, nameOf, selected, onSelect }: GraphProps): ReactNode => {
  const svg = useRef<SVGSVGElement>(null);
  const isNarrow = useIsNarrow();
  const { boxes, width, height } = useMemo(() => (isNarrow ? layOutDownwards(edges) : layOut(edges)), [edges, isNarrow]);
  const byKey = new Map(boxes.map((box) => [box.key, box]));
  const ending = findEnding(boxes, selected);
  const onKeyDown = (event: KeyboardEvent, box: Box<Edge>): void => {
    const next = neighbour(boxes, box, event.key);
    if (next === undefined) return;
    event.preventDefault();
    svg.current?.querySelector<SVGElement>(`[data-key="${CSS.escape(next.key)}"]`)?.focus();
  };
  return (
    <div className="graph-scroll">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a drawing */}
      <svg
        ref={svg}
        className="graph"
        role="group"
        aria-label="Delegations"
        width={width + 2 * MARGIN}
        height={height + 2 * MARGIN}
        viewBox={`${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`}
      >
        {boxes.map((box) => {
          const from = byKey.get(box.parent ?? '');
          if (from === undefined) return null;
          return (
            <path
              key={box.key}
              d={isNarrow ? elbow(from, box) : curve(from, box)}
              data-status={box.edge?.status}
              data-ending={ending.has(box.key) || undefined}
            />
          );
        })}
        {boxes.map((box) => {
          const [name, detail] = boxLines(box, nameOf);
          return (
            // biome-ignore lint/a11y/useSemanticElements: a button cannot be inside a drawing
            <g
              key={box.key}
              data-key={box.key}
              data-kind={box.kind}
              data-status={box.edge?.status}
              data-ending={ending.has(box.key) || undefined}
              role="button"
              tabIndex={0}
              aria-pressed={box.key === selected}
              transform={`translate(${box.x} ${box.y})`}
              onClick={() => onSelect(box.edge?.id ?? '')}
              onKeyDown={(event) => {
                if (event.key === 'Enter' || event.key === ' ') {
                  event.preventDefault();
                  onSelect(box.edge?.id ?? '');
                } else onKeyDown(event, box);
              }}
            >
              <rect width={BOX.width} height={BOX.height} rx={box.kind === 'root' ? BOX.height / 2 : 6} />
              <text x={12} y={18}>
                {short(name)}
              </text>
              <text x={12} y={35} className="detail">
                {short(detail)}
              </text>
            </g>
          );
        })}
      </svg>
      {boxes.length === 0 ? <p>No delegations. Agents act on their own grants.</p> : null}
    </div>
  );
};
