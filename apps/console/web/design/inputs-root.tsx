import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { THEME } from '../theme.ts';
import './inputs-root.css';

const noElement = (): undefined => undefined;

/** Gives the inputs of Mantine their theme. Variables and classes are in the style sheet: the content security policy refuses inline styles. */
const InputsRoot = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <MantineProvider
    theme={THEME}
    defaultColorScheme="auto"
    withCssVariables={false}
    withGlobalClasses={false}
    // The layout sets the colours of the document.
    getRootElement={noElement}
  >
    {children}
  </MantineProvider>
);

/** The component of a page or a part, with the theme of inputs around it. */
export const withInputs =
  <Props extends object>(Part: (props: Props) => ReactNode): ((props: Props) => ReactNode) =>
  (props) => (
    <InputsRoot>
      <Part {...props} />
    </InputsRoot>
  );
