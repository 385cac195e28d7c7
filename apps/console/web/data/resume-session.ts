import { createContext, useContext } from 'react';

/** Asks the person to sign in again in another tab. Resolves to false when they leave the page instead. */
export type ResumeSession = () => Promise<boolean>;

export const ResumeSessionContext = createContext<ResumeSession>(() => Promise.resolve(false));

export const useResumeSession = (): ResumeSession => useContext(ResumeSessionContext);
