import './style.css';
import './design/tokens.css';
import './design/design.css';
import './design/console.css';
import './layout/layout.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from './data/use-operation.ts';
import { ResumeSessionProvider } from './people/auth/session-ended.tsx';
import { StepUpProvider } from './people/second-factors/step-up-dialog.tsx';
import { ConsoleRouter } from './router.tsx';
import { THEME } from './theme.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no element for its content.');

// Variables and classes are in the style sheet: the content security policy refuses inline styles.
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={THEME} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queries}>
        <ResumeSessionProvider>
          <StepUpProvider>
            <ConsoleRouter />
          </StepUpProvider>
        </ResumeSessionProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
