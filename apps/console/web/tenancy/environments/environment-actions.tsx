import { NativeSelect } from '@mantine/core';
import { MODES, type Mode } from '@svc/contract/tables/vocabulary.ts';
import type { Environment } from '@svc/contract/tenancy/environments.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { MODE_MEANING } from '../../design/mode-pill.tsx';
import { ReasonForm } from '../../design/reason-form.tsx';
import { ModeEffects } from './mode-effects.tsx';
import { SetContextScope } from './set-context-scope.tsx';

export type { Environment };

export type ActionProps = { readonly environment: Environment; readonly done: (text: string) => void };

const REASON_CHARS_MAX = 1000;

const SetMode = ({ environment: { id, name, mode }, done }: ActionProps): ReactNode => (
  <DialogButton label="Set mode" to={name}>
    {(close) => (
      <>
        <ModeEffects environmentId={id} />
        <Form
          submit="Set mode"
          send={({ mode: chosen, reason }) =>
            client.request('setGatewayMode', {
              params: { environmentId: id },
              body: { mode: chosen as Mode, ...(reason ? { reason } : {}) },
            })
          }
          then={(environment) => {
            close();
            done(`${name}: ${MODE_MEANING[environment.mode]}`);
          }}
          fields={(error) => (
            <>
              <NativeSelect
                name="mode"
                label="Mode"
                defaultValue={mode}
                data={MODES.map((each) => ({ value: each, label: `${each}: ${MODE_MEANING[each]}` }))}
              />
              <TextField
                error={error}
                name="reason"
                label="Reason"
                description="Required if the new mode enforces less. You confirm your identity first."
                required={false}
                maxLength={REASON_CHARS_MAX}
              />
            </>
          )}
        />
      </>
    )}
  </DialogButton>
);

const PauseOrResume = ({ environment: { id, name, paused }, done }: ActionProps): ReactNode => {
  const params = { environmentId: id };
  return (
    <DialogButton label={paused ? 'Resume' : 'Pause'} to={name}>
      {(close) => (
        <ReasonForm
          submit={paused ? 'Resume environment' : 'Pause environment'}
          isDanger={!paused}
          send={(reason) => client.request(paused ? 'resumeEnvironment' : 'pauseEnvironment', { params, body: { reason } })}
          then={() => {
            close();
            done(paused ? `${name} is resumed.` : `${name} is paused. Every request is blocked.`);
          }}
        >
          <p>{paused ? 'Agents can act again.' : 'Every request of every agent in this environment is blocked until it is resumed.'}</p>
        </ReasonForm>
      )}
    </DialogButton>
  );
};

/** The buttons of an environment that the person may use. */
export const EnvironmentActions = ({ environment, session, done }: ActionProps & { readonly session: Session }): ReactNode => {
  if (environment.archived_at !== null) return null;
  return (
    <>
      {may(session, 'environment:set_mode') ? <SetMode environment={environment} done={done} /> : null}
      {may(session, 'risk:update') ? <SetContextScope environment={environment} done={done} /> : null}
      {may(session, 'environment:pause') ? <PauseOrResume environment={environment} done={done} /> : null}
    </>
  );
};
