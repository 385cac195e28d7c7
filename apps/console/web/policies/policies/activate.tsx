import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { Warning } from '../../design/warning.tsx';
import { Invariants, Replay, Tests, Warnings } from './findings.tsx';
import type { Policy, Version } from './policy.ts';

const REPLAY_DAYS = 7;

type ActivateProps = {
  readonly policy: Policy;
  readonly version: Version;
  readonly session: Session;
  readonly done: (text: string) => void;
};

/** Lists what prevents the activation of the version, or would go wrong. */
const Review = ({ policy, version, done }: Omit<ActivateProps, 'session'>): ReactNode => {
  const { rules, tests, currency } = version;
  const { data, error } = useOperation('checkPolicy', {
    body: { rules, tests, currency, policy_id: policy.id, days: REPLAY_DAYS },
  });
  if (error) return <Problem error={error} />;
  if (data === undefined) return <Skeleton lines={6} />;
  const missing = [
    ...(tests.length === 0 ? ['Add a test: a version without tests cannot be activated.'] : []),
    ...(data.tests.failed === 0 ? [] : [`Fix ${data.tests.failed === 1 ? 'the failing test' : `${data.tests.failed} failing tests`}.`]),
  ];
  return (
    <>
      <h3>Tests</h3>
      <Tests {...data} />
      <h3>Warnings</h3>
      <Warnings {...data} />
      <h3>Invariants</h3>
      <Invariants {...data} />
      <h3>Replay</h3>
      <Replay {...data} />
      {missing.length > 0 ? (
        <Warning title="Not ready">
          <ul className="faults">
            {missing.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Warning>
      ) : (
        <Form
          submit="Activate"
          send={({ reason = '', accept_warnings = '' }) =>
            client.request('activatePolicy', {
              params: { policyId: policy.id },
              body: { version_id: version.version_id, reason, ...(accept_warnings === 'on' ? { accept_warnings: true } : {}) },
            })
          }
          then={() => {
            done(`Activated: version ${version.version_number}.`);
            void refresh('getPolicy', 'listPolicies');
          }}
          fields={(failure) => (
            <>
              <TextField error={failure} name="reason" label="Reason" maxLength={1000} />
              {data.warnings.length === 0 ? null : <Checkbox name="accept_warnings" label="Activate with these warnings" />}
            </>
          )}
        />
      )}
    </>
  );
};

/** Reviews a version and puts it in force. */
export const Activate = ({ policy, version, session, done }: ActivateProps): ReactNode => {
  if (!may(session, 'policy:activate') || policy.active_version?.version_id === version.version_id) return null;
  return (
    <DialogButton label={`Review and activate v${version.version_number}`} isPrimary>
      {(close) => (
        <Review
          policy={policy}
          version={version}
          done={(text) => {
            close();
            done(text);
          }}
        />
      )}
    </DialogButton>
  );
};
