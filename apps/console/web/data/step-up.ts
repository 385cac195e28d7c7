import { createContext, useContext } from 'react';

/** Asks the person to confirm their identity. Resolves to false when they cancel. */
export type ConfirmIdentity = () => Promise<boolean>;

export const StepUpContext = createContext<ConfirmIdentity>(() => Promise.resolve(false));

export const useConfirmIdentity = (): ConfirmIdentity => useContext(StepUpContext);
