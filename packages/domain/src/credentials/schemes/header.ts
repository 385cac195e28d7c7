import type { Placement } from '@svc/contract/credentials/credentials.ts';
import type { Fault } from '../../tools/fault.ts';
import { header as headerSlot } from '../slots/header.ts';
import type { Scheme } from './scheme.ts';

const HOLE = '{secret}';

const templateFaults = ({ template, prefix }: Placement): Fault[] => {
  if (template === undefined) return [];
  const pointer = '/placement/template';
  const isTrimmed = template.trim() === template;
  return [
    ...(template.split(HOLE).length === 2 ? [] : [{ pointer, message: `must contain ${HOLE} exactly once` }]),
    ...(isTrimmed ? [] : [{ pointer, message: 'must not begin or end with a space, which servers remove' }]),
    ...(prefix === undefined
      ? []
      : [{ pointer: '/placement/prefix', message: 'cannot be combined with template: put it into the template' }]),
  ];
};

/** A named header with the secret, behind a prefix or within a template. */
export const header: Scheme = {
  needs: ['header'],
  allows: ['prefix', 'template'],
  faults: (placement) => {
    const message = placement.header === undefined ? undefined : headerSlot.nameFault(placement.header);
    return [...(message === undefined ? [] : [{ pointer: '/placement/header', message }]), ...templateFaults(placement)];
  },
  slot: ({ header: name = '' }) => ({ in: 'HEADER', name }),
  around: ({ prefix, template }) => {
    if (template === undefined) return [prefix === undefined ? '' : `${prefix} `, ''];
    const [before = '', after = ''] = template.split(HOLE);
    return [before, after];
  },
};
