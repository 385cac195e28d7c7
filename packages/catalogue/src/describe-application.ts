import type { CatalogueEntry, ServiceAction } from '@svc/contract/tools/catalogue-entry.ts';
import type { Application, ListedApplication } from '@svc/contract/tools/tool-catalogue.ts';

const isServiceAction = (action: CatalogueEntry['actions'][number]): action is ServiceAction => action.performed_by === 'SERVICE';

export const serviceActions = ({ actions }: Pick<CatalogueEntry, 'actions'>): readonly ServiceAction[] => actions.filter(isServiceAction);

const EVERY_ACTION = '*';

const capabilityIn = (entry: CatalogueEntry): Application['capability'] => {
  const actions = serviceActions(entry).length;
  const isWhole = entry.actions.some(({ key }) => key === EVERY_ACTION);
  const of = isWhole ? Math.max(1, entry.automation?.action_count ?? 1) : entry.actions.length;
  return { kind: actions === 0 ? 'NOT_AVAILABLE' : actions === of ? 'ALL' : 'SOME', actions, of };
};

const derivedFrom = (entry: CatalogueEntry): Pick<Application, 'scheme' | 'capability'> => ({
  scheme: entry.credential === null ? null : entry.credential.oauth === undefined ? entry.credential.scheme : 'OAUTH',
  capability: capabilityIn(entry),
});

export const describeApplication = ({ format: _, ...entry }: CatalogueEntry): Application => ({
  ...entry,
  ...derivedFrom({ format: 'svc-catalogue/1', ...entry }),
});

export const listApplication = (entry: CatalogueEntry): ListedApplication => {
  const { key, version, name, category, summary, automation } = entry;
  return { key, version, name, category, summary, automation, ...derivedFrom(entry) };
};
