import type { ReactNode } from 'react';
import { call } from '../data/call.ts';
import type { Done } from '../data/listing.tsx';
import { ActionButton } from './action-button.tsx';

type SwitchProps = {
  readonly path: string;
  readonly name: string;
  readonly isActive: boolean;
  /** What it means that it is disabled, asked before. */
  readonly means: string;
  readonly done: Done;
};

/** Disables what is active, after asking, and puts back what is not. */
export const StatusSwitch = ({ path, name, isActive, means, done }: SwitchProps): ReactNode => (
  <ActionButton
    does={isActive ? 'Disable' : 'Enable'}
    to={name}
    {...(isActive ? { means } : {})}
    send={() => call('PATCH', path, { status: isActive ? 'DISABLED' : 'ACTIVE' })}
    then={() => done(isActive ? `${name} is disabled.` : `${name} is active, with your rights.`)}
  />
);
