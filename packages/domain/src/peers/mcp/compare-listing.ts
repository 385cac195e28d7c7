import type { ListedChange } from '@svc/contract/peers/mcp/mcp-servers.ts';
import type { McpOfferKind, McpToolStatus } from '@svc/contract/peers/mcp/mcp-tool-shapes.ts';

/** A known tool, before a listing. */
export type KnownTool = {
  readonly id: string;
  readonly kind: McpOfferKind;
  readonly name: string;
  readonly pin: string;
  readonly authorized_pin: string | null;
  readonly status: McpToolStatus;
};

/** A tool in a listing. */
export type ListedTool = { readonly kind: McpOfferKind; readonly name: string; readonly pin: string };

/** The meaning of a listing for one tool. `known` is null for a new tool, `listed` for a removed one. */
export type ComparedTool<Known extends KnownTool, Listed extends ListedTool> = {
  readonly change: ListedChange;
  readonly status: McpToolStatus;
  readonly known: Known | null;
  readonly listed: Listed | null;
};

/** Returns a key of what a server offers: a tool and a prompt may have the same name. */
export const nameOffer = (offer: Pick<ListedTool, 'kind' | 'name'> | null): string => (offer === null ? '' : `${offer.kind} ${offer.name}`);

/** Returns the status of a tool that is listed with a pin. A tool that a person disabled stays disabled. */
const nextStatus = ({ status, authorized_pin }: KnownTool, pin: string): McpToolStatus => {
  if (status === 'DISABLED') return status;
  if (authorized_pin === null) return 'DISCOVERED';
  return authorized_pin === pin ? 'AUTHORIZED' : 'CHANGED';
};

const compareKnown = <Known extends KnownTool, Listed extends ListedTool>(
  known: Known,
  listed: Listed | undefined,
): ComparedTool<Known, Listed> => {
  if (listed === undefined) {
    const isNews = known.status !== 'GONE' && known.status !== 'DISABLED';
    return { change: isNews ? 'GONE' : 'SAME', status: isNews ? 'GONE' : known.status, known, listed: null };
  }
  const status = nextStatus(known, listed.pin);
  if (known.status === 'GONE') return { change: 'BACK', status, known, listed };
  return { change: known.pin === listed.pin ? 'SAME' : 'CHANGED', status, known, listed };
};

/** Compares a listing with the known tools of its server. Names of one kind are unique in a listing. */
export const compareListing = <Known extends KnownTool, Listed extends ListedTool>(
  known: readonly Known[],
  listed: readonly Listed[],
): readonly ComparedTool<Known, Listed>[] => {
  const byName = new Map(listed.map((tool) => [nameOffer(tool), tool]));
  const names = new Set(known.map(nameOffer));
  const added = listed.filter((tool) => !names.has(nameOffer(tool)));
  return [
    ...known.map((tool) => compareKnown<Known, Listed>(tool, byName.get(nameOffer(tool)))),
    ...added.map((tool) => ({ change: 'NEW' as const, status: 'DISCOVERED' as const, known: null, listed: tool })),
  ];
};

/** Returns the tools whose definition is not the one that was authorized: a server that has any is quarantined. */
export const movedTools = <Known extends KnownTool, Listed extends ListedTool>(
  compared: readonly ComparedTool<Known, Listed>[],
): readonly ComparedTool<Known, Listed>[] => compared.filter(({ status, change }) => status === 'CHANGED' && change !== 'SAME');
