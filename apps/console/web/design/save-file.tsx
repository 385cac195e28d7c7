import type { ReactNode } from 'react';
import { Anchor } from './kit.tsx';

type SaveProps = { readonly text: string; readonly name: string; readonly children: ReactNode };

/** An existing text, to save as a file. */
export const Save = ({ text, name, children }: SaveProps): ReactNode => (
  <Anchor href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`} download={name}>
    {children}
  </Anchor>
);

/** Lets the browser save a received file. */
export const saveFile = (file: Blob, name: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
};
