import { buildConsolePath, type RouteParams } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { Ago } from '../../design/ago.tsx';
import { Checkbox } from '../../design/checkbox.tsx';
import { CopyButton } from '../../design/copy-button.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Button } from '../../design/kit.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { StatusPill } from '../../design/status-pill.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { Warning } from '../../design/warning.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { PermissionHolders } from '../../people/members/permission-holders.tsx';
import { Changes, FirstRules } from './changes.tsx';
import { Invariants, Replay, Tests, Warnings } from './findings.tsx';
import { type Check, getActive, type Policy, type Version } from './policy.ts';

const REPLAY_DAYS = 7;
const VERSIONS_MAX = 200;

type ReviewProps = { readonly policy: Policy; readonly version: Version; readonly session: Session };

/** The conditions that the version does not meet for activation, as sentences that say what to do. */
const listMissing = (version: Version, check: Check): readonly string[] => {
  const violated = check.invariants.filter(({ verdict }) => verdict === 'VIOLATED');
  const { failed } = check.tests;
  return [
    ...(version.tests.length === 0 ? ['Add a test: a version without tests cannot be activated.'] : []),
    ...(failed === 0 ? [] : [`Fix ${failed === 1 ? 'the failing test' : `${failed} failing tests`}.`]),
    ...violated.map(({ name }) => `Change the rules so that the invariant ${name} holds.`),
  ];
};

const ActivateForm = ({
  policy,
  version,
  check,
  done,
}: ReviewProps & { readonly check: Check; readonly done: (text: string) => void }): ReactNode => (
  <Form
    submit={`Activate v${version.version_number}`}
    send={({ reason = '', accept_warnings = '' }) =>
      client.request('activatePolicy', {
        params: { policyId: policy.id },
        body: { version_id: version.version_id, reason, ...(accept_warnings === 'on' ? { accept_warnings: true } : {}) },
      })
    }
    then={() => {
      done(`Activated: version ${version.version_number}.`);
      void refresh('getPolicy', 'listPolicies', 'listPolicyVersions');
    }}
    fields={(failure) => (
      <>
        <TextField error={failure} name="reason" label="Reason" maxLength={1000} />
        {check.warnings.length === 0 ? null : (
          <Checkbox
            name="accept_warnings"
            label={`Activate with ${check.warnings.length === 1 ? 'the warning' : `the ${check.warnings.length} warnings`}`}
          />
        )}
      </>
    )}
  />
);

type DecisionProps = ReviewProps & { readonly check: Check; readonly done: (text: string) => void };

/** The way to activate the version, or the list of what is missing. */
const Decision = (props: DecisionProps): ReactNode => {
  const { policy, version, session, check } = props;
  if (policy.active_version?.version_id === version.version_id) return <p>This version is active.</p>;
  const missing = listMissing(version, check);
  const canActivate = may(session, 'policy:activate');
  return (
    <>
      {missing.length === 0 && canActivate ? null : (
        <Warning title="Missing before activation">
          <ul className="faults">
            {missing.map((text) => (
              <li key={text}>{text}</li>
            ))}
            {canActivate ? null : (
              <li>
                You need the permission <code>policy:activate</code>. Ask{' '}
                <PermissionHolders permission="policy:activate" session={session} />.
              </li>
            )}
          </ul>
        </Warning>
      )}
      {missing.length === 0 && canActivate ? <ActivateForm {...props} /> : null}
      <CopyButton text={location.href} of="link for a reviewer" otherwise="Copy the address of this page." />
    </>
  );
};

const Differences = ({ policy, version }: Omit<ReviewProps, 'session'>): ReactNode => {
  const active = getActive(policy);
  const isCompared = active !== undefined && active.version_id !== version.version_id;
  const { data, error } = useOperation(
    'diffPolicy',
    { params: { policyId: policy.id }, query: { from: active?.version_number ?? 1, to: version.version_number, days: 0 } },
    { isEnabled: isCompared },
  );
  if (!isCompared)
    return (
      <Panel title={active === undefined ? 'Rules; no version is active yet' : 'Rules'}>
        <FirstRules version={version} />
      </Panel>
    );
  return (
    <Panel title={`Changes from the active version ${active.version_number}`}>
      <Problem error={error ?? undefined} />
      {data === undefined && !error ? <Skeleton lines={5} /> : null}
      {data === undefined ? null : (
        <>
          <Changes title="Rules" change={data.rules} before={active.rules} after={version.rules} />
          <Changes title="Tests" change={data.tests} before={active.tests} after={version.tests} />
        </>
      )}
    </Panel>
  );
};

const Content = ({ policy, version, session }: ReviewProps): ReactNode => {
  const { rules, tests, currency } = version;
  const { announce, announcement } = useAnnouncement();
  const mayCheck = may(session, 'policy:simulate');
  const { data: check, error } = useOperation(
    'checkPolicy',
    { body: { rules, tests, currency, policy_id: policy.id, days: REPLAY_DAYS } },
    { isEnabled: mayCheck },
  );
  return (
    <>
      {announcement}
      <div className="answer-head">
        <StatusPill tone={version.status === 'ACTIVE' ? 'allowed' : 'neutral'}>
          {version.status.charAt(0) + version.status.slice(1).toLowerCase()}
        </StatusPill>
        <span className="quiet-text">
          Saved <Ago at={version.created_at} />
        </span>
      </div>
      <div className="split">
        <div>
          <Differences policy={policy} version={version} />
          {check === undefined ? null : (
            <Panel title="Replay">
              <Replay {...check} />
            </Panel>
          )}
        </div>
        <div>
          {mayCheck ? null : <p>You need the permission policy:simulate to see tests and warnings.</p>}
          <Problem error={error ?? undefined} />
          {mayCheck && check === undefined && !error ? <Skeleton lines={8} /> : null}
          {check === undefined ? null : (
            <>
              <Panel title="Activation">
                <Decision policy={policy} version={version} session={session} check={check} done={announce} />
              </Panel>
              <Panel title="Tests">
                <Tests {...check} />
              </Panel>
              <Panel title="Warnings">
                <Warnings {...check} />
              </Panel>
              <Panel title="Invariants">
                <Invariants {...check} />
              </Panel>
            </>
          )}
        </div>
      </div>
    </>
  );
};

type ReviewPageProps = { readonly params: RouteParams<'policyReview'>; readonly session: Session };

/** A version compared with the active one, with what its activation would change and what is missing for it. A second person opens it by its link. */
export const PolicyReview = ({ params: { policyId, versionNumber }, session }: ReviewPageProps): ReactNode => {
  const { data: policy, error } = useOperation('getPolicy', { params: { policyId } });
  const newest = policy?.versions.find(({ version_number }) => String(version_number) === versionNumber);
  const older = useOperation(
    'listPolicyVersions',
    { params: { policyId }, query: { limit: VERSIONS_MAX } },
    { isEnabled: policy !== undefined && newest === undefined },
  );
  const version = newest ?? older.data?.find(({ version_number }) => String(version_number) === versionNumber);
  const failure = error ?? older.error ?? undefined;
  const isLoading = !failure && (policy === undefined || (version === undefined && older.data === undefined));
  const edit = (
    <Button component="a" variant="default" size="sm" href={buildConsolePath('policyEditor', { policyId })}>
      {may(session, 'policy:update') ? 'Edit' : 'Open editor'}
    </Button>
  );
  return (
    <ConsolePage
      title={`Review v${versionNumber}`}
      parent={{ name: policy?.name ?? 'Policy', path: buildConsolePath('policy', { policyId }) }}
      actions={edit}
    >
      <Problem error={failure} />
      {isLoading ? <Skeleton lines={8} /> : null}
      {policy !== undefined && !isLoading && version === undefined && !failure ? <p>The policy has no version {versionNumber}.</p> : null}
      {policy === undefined || version === undefined ? null : (
        <Content key={version.version_id} policy={policy} version={version} session={session} />
      )}
    </ConsolePage>
  );
};
