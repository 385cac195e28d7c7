import { type ReactNode, useState } from 'react';
import { Button } from './kit.tsx';

type CopyButtonProps = {
  readonly text: string;
  /** The object, for people who hear the button without its surroundings. */
  readonly of?: string;
  /** The next step where the browser does not allow copying. */
  readonly otherwise: string;
};

/** A button that copies a text, and says whether it did. */
export const CopyButton = ({ text, of, otherwise }: CopyButtonProps): ReactNode => {
  const [said, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    // The clipboard is only there over https and on localhost.
    const [copied] = await Promise.allSettled([Promise.resolve().then(() => navigator.clipboard.writeText(text))]);
    setSaid(copied.status === 'fulfilled' ? 'Copied.' : `The browser did not allow copying. ${otherwise}`);
  };
  return (
    <>
      <Button size="xs" variant="default" aria-label={of === undefined ? undefined : `Copy: ${of}`} onClick={() => void copy()}>
        Copy
      </Button>
      <p role="status" className="said">
        {said}
      </p>
    </>
  );
};
