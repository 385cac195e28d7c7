import { NativeSelect } from '@mantine/core';
import { buildConsolePath, type RouteParams } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useState } from 'react';
import { listFaults } from '../../data/faults.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { useOperation } from '../../data/use-operation.ts';
import { useQueryState } from '../../data/use-query-state.ts';
import { Button, Text } from '../../design/kit.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { Warning } from '../../design/warning.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { BuilderView } from './builder/builder-view.tsx';
import { findFault, findRange, type Range } from './builder/edit-text.ts';
import { Invariants, Replay, Tests, Warnings } from './findings.tsx';
import { buildReviewPath, getNewest, getText, type Policy, type Version } from './policy.ts';
import { TextView } from './text-view.tsx';
import { type DraftText, useDraft } from './use-draft.ts';
import { type Checked, readText, usePolicyCheck } from './use-policy-check.ts';
import { useSaveDraft } from './use-save-draft.ts';

const DAYS = ['0', '1', '7', '30'];
const Judges = ({
  checked,
  days,
  setDays,
}: {
  readonly checked: Checked;
  readonly days: string;
  readonly setDays: (days: string) => void;
}): ReactNode => {
  const { check, error, fault, isStale } = checked;
  return (
    <div className="judges" data-stale={isStale || undefined}>
      <div role="status">{fault === undefined ? null : <Text c="dimmed">{fault}</Text>}</div>
      <Problem error={error} />
      {check === undefined && error === undefined && fault === undefined ? <Skeleton lines={6} /> : null}
      {check === undefined ? null : (
        <>
          <Panel title="Tests">
            <Tests {...check} />
          </Panel>
          <Panel title="Warnings">
            <Warnings {...check} />
          </Panel>
          <Panel title="Invariants">
            <Invariants {...check} />
          </Panel>
          <Panel
            title="Replay"
            actions={
              <NativeSelect
                aria-label="Days of recorded actions"
                size="xs"
                value={days}
                onChange={({ currentTarget }) => setDays(currentTarget.value)}
                data={DAYS.map((value) => ({ value, label: value === '0' ? 'Off' : `${value} ${value === '1' ? 'day' : 'days'}` }))}
              />
            }
          >
            <Replay {...check} />
          </Panel>
        </>
      )}
    </div>
  );
};

const VIEWS = ['builder', 'json'] as const;
const NAMES = ['view'] as const;

type ViewChoiceProps = { readonly isJson: boolean; readonly onChoose: (view: (typeof VIEWS)[number]) => void };

const ViewChoice = ({ isJson, onChoose }: ViewChoiceProps): ReactNode => (
  <fieldset className="segments">
    <legend>View</legend>
    {VIEWS.map((view) => (
      <label key={view}>
        <input type="radio" name="view" value={view} checked={(view === 'json') === isJson} onChange={() => onChoose(view)} />
        <span>{view === 'json' ? 'JSON' : 'Builder'}</span>
      </label>
    ))}
  </fieldset>
);

/** A warning that names the place at which the text cannot be read. */
const Fault = ({ text, open }: { readonly text: string; readonly open: (range: Range) => void }): ReactNode => {
  const read = readText(text);
  if (typeof read !== 'string') return null;
  const fault = findFault(text);
  return (
    <Warning
      title={
        fault === undefined ? 'The builder cannot show the text' : `The JSON has an error in line ${fault.line}, column ${fault.column}`
      }
    >
      {read}
      {fault === undefined ? null : (
        <Button size="xs" variant="default" onClick={() => open({ start: fault.offset, end: fault.offset + 1 })}>
          Go to line {fault.line}
        </Button>
      )}
    </Warning>
  );
};

type EditorProps = { readonly policy: Policy; readonly session: Session };

type SaveProps = EditorProps & {
  readonly draft: DraftText;
  readonly saved: string;
  readonly save: () => void;
  readonly isPending: boolean;
};

const Buttons = ({ policy, session, draft, saved, save, isPending }: SaveProps): ReactNode => {
  const newest = getNewest(policy);
  return (
    <div className="answer-head">
      {may(session, 'policy:update') ? (
        <Button disabled={!draft.isChanged || typeof readText(draft.text) === 'string'} loading={isPending} onClick={save}>
          Save draft
        </Button>
      ) : (
        <MissingPermission needs="policy:update" to="save a draft" />
      )}
      {draft.undo === undefined ? null : (
        <Button variant="default" onClick={draft.undo}>
          Undo
        </Button>
      )}
      {draft.isChanged ? (
        <Button variant="default" onClick={() => draft.step(saved)}>
          Discard changes
        </Button>
      ) : null}
      {!draft.isChanged && newest !== undefined && policy.active_version?.version_id !== newest.version_id ? (
        <Button component="a" href={buildReviewPath(policy.id, newest.version_number)}>
          Review v{newest.version_number}
        </Button>
      ) : null}
      <a href="/docs/guides/write-a-policy" target="_blank" rel="noopener">
        Policy language
      </a>
    </div>
  );
};

type ViewsProps = {
  readonly draft: DraftText;
  readonly version: Version | undefined;
  readonly checked: Checked;
};

/** The draft in the view that the address names. */
const Views = ({ draft, version, checked }: ViewsProps): ReactNode => {
  const { values, set } = useQueryState(NAMES);
  const [selected, setSelected] = useState<Range>();
  const isJson = values.view === 'json';
  const openJson = (range: Range | undefined): void => {
    setSelected(range);
    set({ view: 'json' });
  };
  return (
    <>
      <ViewChoice isJson={isJson} onChoose={(view) => (view === 'json' ? openJson(undefined) : set({ view: undefined }))} />
      <Fault text={draft.text} open={openJson} />
      {isJson ? (
        <TextView
          label={`Rules and tests${version === undefined ? '' : `, from version ${version.version_number}`}`}
          text={draft.text}
          setText={draft.set}
          selected={selected}
        />
      ) : (
        <BuilderView
          text={draft.readable}
          currency={version?.currency}
          check={checked.check}
          faults={listFaults(checked.error)}
          isLocked={draft.readable !== draft.text}
          change={draft.step}
          openJson={(path) => openJson(findRange(draft.readable, path))}
        />
      )}
    </>
  );
};

const Editor = ({ policy, session }: EditorProps): ReactNode => {
  const newest = getNewest(policy);
  const saved = getText(newest);
  const draft = useDraft(policy.id, saved);
  const [days, setDays] = useState('7');
  const { announce, announcement } = useAnnouncement();
  const mayCheck = may(session, 'policy:simulate');
  const checked = usePolicyCheck(draft.text, { policyId: policy.id, currency: newest?.currency, days: Number(days), isEnabled: mayCheck });
  const { base, rebase, save, error, isPending } = useSaveDraft(policy, draft, announce);
  return (
    <>
      {announcement}
      <Problem error={error} />
      {base !== newest?.version_number ? (
        <Warning title="Changed meanwhile">
          Version {newest?.version_number} was saved while you edited version {base}. Your text is kept.{' '}
          <Button size="xs" variant="default" onClick={rebase}>
            Save over it
          </Button>
        </Warning>
      ) : null}
      <div className="split editor">
        <div>
          <Views draft={draft} version={newest} checked={checked} />
          <Buttons policy={policy} session={session} draft={draft} saved={saved} save={save} isPending={isPending} />
        </div>
        {mayCheck ? (
          <Judges checked={checked} days={days} setDays={setDays} />
        ) : (
          <MissingPermission needs="policy:simulate" to="check rules before they are saved" />
        )}
      </div>
    </>
  );
};

type EditorPageProps = { readonly params: RouteParams<'policyEditor'>; readonly session: Session };

/** The draft of a policy with its tests, warnings and replay, which run while it is edited. */
export const PolicyEditor = ({ params, session }: EditorPageProps): ReactNode => {
  const { data: policy, error } = useOperation('getPolicy', { params });
  const parent = { name: policy?.name ?? 'Policy', path: buildConsolePath('policy', { policyId: params.policyId }) };
  return (
    <ConsolePage title="Edit policy" parent={parent}>
      <Problem error={error ?? undefined} />
      {policy === undefined && !error ? <Skeleton lines={10} /> : null}
      {policy === undefined ? null : <Editor policy={policy} session={session} />}
    </ConsolePage>
  );
};
