import './style.css';
import './design/tokens.css';
import './design/design.css';
import './design/kit.css';
import './design/console.css';
import './layout/layout.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyColourScheme } from './data/colour-scheme.ts';
import { queries } from './data/use-operation.ts';
import { ResumeSessionProvider } from './people/auth/session-ended.tsx';
import { StepUpProvider } from './people/second-factors/step-up-dialog.tsx';
import { ConsoleRouter } from './router.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no element for its content.');

applyColourScheme();

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <ResumeSessionProvider>
        <StepUpProvider>
          <ConsoleRouter />
        </StepUpProvider>
      </ResumeSessionProvider>
    </QueryClientProvider>
  </StrictMode>,
);
