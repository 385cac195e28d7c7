import { RISK_RATINGS, TOOL_KINDS } from '@svc/contract/tables/vocabulary.ts';
import type { ToolExecution } from '@svc/contract/tools/tools.ts';
import { findStoredToolFaults } from '@svc/domain/tools/declaration/validate-tool-declaration.ts';
import type { ToolSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import { isRequirement } from './is-requirement.ts';
import { isRouteList } from './is-route-list.ts';
import { isFlag, isText, isTextList, isTime, isWhole, matchWords, mustFit, orNull, UnfitRow } from './unfit-row.ts';

export type ToolRow = Omit<ToolSnapshot, 'allowlist' | 'execution' | 'checkParameters' | 'credential' | 'mcp' | 'a2a'> & {
  readonly destination_allowlist: readonly string[];
  readonly execution: ToolExecution | null;
};

/** Throws for a tool that the service did not write that way, cheaply: the consistency of its declaration is checked on use. */
export const mustFitTool = (row: ToolRow): void => {
  mustFit('tools', row.id, row, {
    name: isText,
    required_capability: isText,
    kind: matchWords(TOOL_KINDS),
    risk_rating: matchWords(RISK_RATINGS),
    dangerous: isFlag,
    status: matchWords(['ACTIVE', 'DISABLED']),
    disabled_reason: row.status === 'ACTIVE' ? (value) => value === null : orNull((value) => typeof value === 'string'),
    declaration_version: isWhole(1),
    declared_at: orNull(isTime),
    destination_allowlist: isTextList,
    amount_from: orNull(isText),
    currency_from: orNull(isText),
    destination_from: orNull(isText),
    narrowable: isTextList,
    requires_trust: orNull(isRequirement),
    routes: isRouteList,
  });
};

/** Throws at a declaration that could not be registered: one that does not hold together could leave out what a rule reads. */
export const mustFitDeclaration = ({
  execution,
  amount_from,
  currency_from,
  destination_from,
  declared_at: _,
  flow: __,
  requires_trust: ___,
  routes: ____,
  ...row
}: ToolRow): void => {
  const [fault] = findStoredToolFaults({
    ...row,
    destination_allowlist: [...row.destination_allowlist],
    narrowable: [...row.narrowable],
    ...(amount_from === null ? {} : { amount_from }),
    ...(currency_from === null ? {} : { currency_from }),
    ...(destination_from === null ? {} : { destination_from }),
    ...(execution === null ? {} : { execution }),
  });
  if (fault !== undefined) throw new UnfitRow('tools', row.id, fault.pointer.slice(1));
};
