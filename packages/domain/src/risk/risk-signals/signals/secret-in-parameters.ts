import { maskKeyShapes } from '@svc/policy/masks/secret-shapes.ts';
import { isWriteOnly, listParameterTexts } from '../parameter-texts.ts';
import type { SignalDefinition } from '../signal.ts';

/** Every known form of a secret contains one of these. */
const PERHAPS = /[-_.:]|A[KS]IA|AIza/;
const SHORTEST = 12;

export const secretInParameters: SignalDefinition = {
  name: 'secret_in_parameters',
  look: ({ isOutgoing, parameters, parametersSchema }) => {
    if (!isOutgoing || parameters === null) return undefined;
    const { texts, isPartial } = listParameterTexts(parameters);
    const found = texts.filter(
      ({ text, path }) =>
        text.length >= SHORTEST && PERHAPS.test(text) && maskKeyShapes(text, '') !== text && !isWriteOnly(parametersSchema, path),
    );
    if (found.length === 0) return undefined;
    const pointers = found.slice(0, 5).map(({ pointer }) => pointer);
    return {
      subject: pointers[0] as string,
      sentence: `The parameters contain a secret of a known form at ${pointers.join(', ')}.`,
      evidence: { pointers, ...(isPartial ? { partly_searched: true } : {}) },
    };
  },
};
