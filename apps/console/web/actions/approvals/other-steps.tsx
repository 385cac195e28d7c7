import type { ReactNode } from 'react';
import type { Session } from '../../data/session.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { lazyPart } from '../../design/lazy-part.tsx';
import type { ApprovalDetails } from './summary.tsx';

export type StepProps = { readonly approval: ApprovalDetails; readonly session: Session; readonly done: (text: string) => void };

const STEPS = [
  { label: 'Change and approve', Step: lazyPart(async () => (await import('./edit.tsx')).Edit, { hasInputs: true }) },
  { label: 'Ask a question', Step: lazyPart(async () => (await import('./further-steps.tsx')).Ask) },
  { label: 'Reassign', Step: lazyPart(async () => (await import('./further-steps.tsx')).Reassign, { hasInputs: true }) },
] as const;

/** Steps of an approver other than approving or denying. */
export const OtherSteps = ({ approval, session, done }: StepProps): ReactNode =>
  STEPS.map(({ label, Step }) => (
    <DialogButton key={label} label={label}>
      {(close) => (
        <Step
          approval={approval}
          session={session}
          done={(text) => {
            close();
            done(text);
          }}
        />
      )}
    </DialogButton>
  ));
