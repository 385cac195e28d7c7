import { NativeSelect, TextInput } from '@mantine/core';
import type { OperationInput } from '@svc/client/client-types.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { ACTION_STATUSES, EFFECTS, MODES } from '@svc/contract/tables/vocabulary.ts';
import type { FormEvent, ReactNode } from 'react';
import { type LabelledEnvironment, useEnvironments } from '../../data/environments.ts';
import { getEnvironmentLabel, getEnvironmentOptions } from '../../data/scope-options.ts';
import { usePages } from '../../data/use-pages.ts';
import { type QueryState, useQueryState } from '../../data/use-query-state.ts';
import { Ago } from '../../design/ago.tsx';
import { DECISION_WORDS, DecisionPill } from '../../design/decision-pill.tsx';
import { FilterChips } from '../../design/filter-chips.tsx';
import { Button } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { Money } from '../../design/money.tsx';
import type { Column } from '../../design/table.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { type ActionSummary, STATUS_WORDS } from './action.ts';

/** Filters of the list in the order of their chips, and the words of their labels. */
const FILTERS = {
  decision: 'Decision',
  status: 'Outcome',
  tool: 'Tool',
  agent_id: 'Agent',
  environment_id: 'Environment',
  mode: 'Mode',
  code: 'Code',
  policy_id: 'Policy',
  rule: 'Rule',
  reason: 'Reason',
  delegation_id: 'Delegation',
  approval_id: 'Approval',
  request_id: 'Request',
  amount_min: 'Amount from',
  amount_max: 'Amount to',
  from: 'From',
  to: 'To',
} as const;
type FilterName = keyof typeof FILTERS;
const NAMES = Object.keys(FILTERS) as FilterName[];
const ANY = { value: '', label: 'Any' };

const COLUMNS = (environments: readonly LabelledEnvironment[]): readonly Column<ActionSummary>[] => [
  { name: 'Tool', show: ({ tool }) => <bdi>{tool}</bdi> },
  { name: 'Decision', show: ({ decision }) => <DecisionPill decision={decision} /> },
  { name: 'Time', show: ({ created_at }) => <Ago at={created_at} /> },
  { name: 'Amount', show: ({ amount, currency }) => <Money amount={amount} currency={currency} />, isNumber: true },
  { name: 'Agent', show: ({ agent_name }) => <bdi>{agent_name}</bdi> },
  { name: 'Reason', show: ({ reason }) => <bdi title={reason}>{reason}</bdi>, isLong: true },
  { name: 'Outcome', show: ({ status }) => STATUS_WORDS[status] },
  { name: 'Environment', show: ({ environment_id }) => getEnvironmentLabel(environment_id, environments) },
];

type FilterProps = { readonly query: QueryState<FilterName>; readonly environments: readonly LabelledEnvironment[] };

/** Fields of the most used filters; the others are set by links from other pages. */
const Filters = ({ query, environments }: FilterProps): ReactNode => {
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const entered = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()]);
    query.set(Object.fromEntries(entered));
  };
  const { values } = query;
  const select = (name: 'decision' | 'status' | 'environment_id' | 'mode', data: readonly { value: string; label: string }[]) => (
    <NativeSelect
      label={FILTERS[name]}
      value={values[name] ?? ''}
      onChange={({ currentTarget }) => query.set({ [name]: currentTarget.value })}
      data={[ANY, ...data]}
    />
  );
  const text = (name: 'tool' | 'rule' | 'code', placeholder: string): ReactNode => (
    <TextInput
      key={`${name} ${values[name]}`}
      name={name}
      label={FILTERS[name]}
      placeholder={placeholder}
      maxLength={100}
      defaultValue={values[name]}
      spellCheck={false}
    />
  );
  return (
    <form className="wide filters" aria-label="Filter" onSubmit={onSubmit}>
      {select(
        'decision',
        EFFECTS.map((value) => ({ value, label: DECISION_WORDS[value] })),
      )}
      {select(
        'status',
        ACTION_STATUSES.map((value) => ({ value, label: STATUS_WORDS[value] })),
      )}
      {select('environment_id', getEnvironmentOptions(environments))}
      {select(
        'mode',
        MODES.map((value) => ({ value, label: value.charAt(0) + value.slice(1).toLowerCase() })),
      )}
      {text('tool', 'refund.create')}
      {text('rule', 'refunds-large')}
      {text('code', 'ACTION_BLOCKED')}
      <div className="filter-submit">
        <Button type="submit" variant="default">
          Filter
        </Button>
      </div>
    </form>
  );
};

const getText = (name: FilterName, value: string, environments: readonly LabelledEnvironment[], rows: readonly ActionSummary[]): string => {
  if (name === 'decision') return DECISION_WORDS[value as keyof typeof DECISION_WORDS] ?? value;
  if (name === 'status') return STATUS_WORDS[value as keyof typeof STATUS_WORDS] ?? value;
  if (name === 'environment_id') return getEnvironmentLabel(value, environments);
  if (name === 'agent_id') return rows.find(({ agent_id }) => agent_id === value)?.agent_name ?? value;
  return value;
};

/** Every request of agents to tools, newest first, with its decision. */
export const Actions = (): ReactNode => {
  const environments = useEnvironments() ?? [];
  const query = useQueryState<FilterName>(NAMES);
  const { values } = query;
  const list = usePages('searchActions', { query: values } as unknown as OperationInput<'searchActions'>);
  const rows = list.items ?? [];
  const chips = NAMES.flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [{ name, label: FILTERS[name], text: getText(name, value, environments, rows) }];
  });
  return (
    <ConsolePage title="Actions">
      <Filters query={query} environments={environments} />
      <FilterChips chips={chips} onRemove={(name) => query.set({ [name]: '' })} />
      <ListTable
        label="Actions"
        list={list}
        isCounted
        isDense
        columns={COLUMNS(environments)}
        pathOf={({ id }) => buildConsolePath('action', { actionId: id })}
        empty={chips.length === 0 ? 'No agent has requested an action yet.' : 'No actions match these filters.'}
        emptyAction={
          chips.length === 0 ? (
            <a href="/docs/guides/first-governed-tool">Connect your first agent</a>
          ) : (
            <Button variant="default" size="xs" onClick={query.clear}>
              Clear filters
            </Button>
          )
        }
      />
    </ConsolePage>
  );
};
