import { Button, NativeSelect, Text, Textarea } from '@mantine/core';
import { consolePath, type RouteParams } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { type BodyOf, client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { useMutation } from '../../data/use-mutation.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { Warning } from '../../design/warning.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { Activate } from './activate.tsx';
import { ConditionForm } from './condition-form.tsx';
import { Invariants, Replay, Tests, Warnings } from './findings.tsx';
import { newestOf, type Policy, textOf } from './policy.ts';
import { type Checked, readText, usePolicyCheck } from './use-policy-check.ts';

const DAYS = ['0', '1', '7', '30'];
const ROWS = 28;

const draftKey = (policyId: string): string => `svc-policy-draft-${policyId}`;

/** The text that was not saved yet, kept by this tab. Storage may be refused by the browser's privacy settings. */
const kept = (policyId: string): string | undefined => {
  try {
    return sessionStorage.getItem(draftKey(policyId)) ?? undefined;
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
};
const keep = (policyId: string, text: string | undefined): void => {
  try {
    if (text === undefined) sessionStorage.removeItem(draftKey(policyId));
    else sessionStorage.setItem(draftKey(policyId), text);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
};

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

type EditorProps = { readonly policy: Policy; readonly session: Session };

const Editor = ({ policy, session }: EditorProps): ReactNode => {
  const newest = newestOf(policy);
  const saved = textOf(newest);
  const [text, setText] = useState(() => kept(policy.id) ?? saved);
  const [base, setBase] = useState(newest?.version_number);
  const [days, setDays] = useState('7');
  const { announce, announcement } = useAnnouncement();
  const mayCheck = may(session, 'policy:simulate');
  const checked = usePolicyCheck(text, { policyId: policy.id, currency: newest?.currency, days: Number(days), isEnabled: mayCheck });
  const isChanged = text !== saved;
  useEffect(() => keep(policy.id, isChanged ? text : undefined), [policy.id, text, isChanged]);
  const save = useMutation(
    (read: object) =>
      client.request('updatePolicy', {
        params: { policyId: policy.id },
        body: { ...read, ...(base === undefined ? {} : { expected_version: base }) } as BodyOf<'updatePolicy'>,
      }),
    (changed) => {
      const version = changed.versions[0];
      setBase(version?.version_number);
      setText(textOf(version));
      announce(`Saved as version ${version?.version_number}, a draft.`);
      void refresh('getPolicy', 'listPolicies', 'listPolicyVersions');
    },
  );
  const saveText = (): void => {
    const read = readText(text);
    if (typeof read !== 'string') void save.run(read);
  };
  const isSaved = !isChanged && newest !== undefined;
  return (
    <>
      {announcement}
      <Problem error={save.error} />
      {base !== newest?.version_number ? (
        <Warning title="Changed meanwhile">
          Version {newest?.version_number} was saved while you edited version {base}. Your text is kept.{' '}
          <Button size="xs" variant="default" onClick={() => setBase(newest?.version_number)}>
            Save over it
          </Button>
        </Warning>
      ) : null}
      <div className="split editor">
        <div>
          <Textarea
            label={`Rules and tests${newest === undefined ? '' : `, from version ${newest.version_number}`}`}
            description="JSON. Amounts are in minor units."
            classNames={{ input: 'code-input' }}
            rows={ROWS}
            spellCheck={false}
            autoCapitalize="off"
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              if (isChanged) saveText();
            }}
          />
          <div className="answer-head">
            {may(session, 'policy:update') ? (
              <Button disabled={!isChanged || typeof readText(text) === 'string'} loading={save.isPending} onClick={saveText}>
                Save draft
              </Button>
            ) : (
              <MissingPermission needs="policy:update" to="save a draft" />
            )}
            {isChanged ? (
              <Button variant="default" onClick={() => setText(saved)}>
                Discard changes
              </Button>
            ) : null}
            {isSaved ? <Activate policy={policy} version={newest} session={session} done={announce} /> : null}
            <a href="/docs/guides/write-a-policy" target="_blank" rel="noopener">
              Policy language
            </a>
          </div>
          <ConditionForm text={text} setText={setText} announce={announce} />
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

/** Shows the text of a policy with its tests, warnings and replay, which run while it is edited. */
export const PolicyEditor = ({ params, session }: EditorPageProps): ReactNode => {
  const { data: policy, error } = useOperation('getPolicy', { params });
  const parent = { name: policy?.name ?? 'Policy', path: consolePath('policy', { policyId: params.policyId }) };
  return (
    <ConsolePage title="Edit policy" parent={parent}>
      <Problem error={error ?? undefined} />
      {policy === undefined && !error ? <Skeleton lines={10} /> : null}
      {policy === undefined ? null : <Editor policy={policy} session={session} />}
    </ConsolePage>
  );
};
