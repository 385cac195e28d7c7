import type { Facts } from '../facts.ts';
import { PASSED, refused, type Stage, type StageAnswer } from '../stage.ts';

/** Without a delegation an agent acts on its own grants; one that it names has to be there. */
const checkAuthority = ({ request }: Facts): StageAnswer =>
  request.delegation_id === undefined
    ? PASSED
    : refused('DELEGATION_INVALID', 'There is no such delegation.', { delegation_id: request.delegation_id });

export const authority: Stage = { name: 'authority', relaxedByObserve: true, check: checkAuthority };
