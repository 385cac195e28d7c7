import type { CallContext } from '@svc/operations/people/auth/acting.ts';
import type { EventActor } from '@svc/postgres/change/change.ts';

/** Returns the part of a call that every use case takes. */
export const asActing = ({
  scope,
  caller,
  now,
}: Pick<CallContext, 'scope' | 'now'> & { readonly caller: { readonly actor: EventActor } }): CallContext => ({
  scope,
  actor: caller.actor,
  now,
});
