import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import '@mantine/core/styles.css';
import { Notifications } from '@mantine/notifications';
import '@mantine/notifications/styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { beginFirstPage, queryClient, router } from './app/router.tsx';
import { resolveCssVariables, THEME } from './app/theme.ts';
import { startLanguage } from './messages/language.ts';
import './app/console.css';
import './app/media.css';
import './desk/desk.css';
import './today/today.css';

const colorSchemes = localStorageColorSchemeManager({ key: 'placard-color-scheme' });

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element');
// The language is chosen at once, so that the first page loads its texts in it.
const speaking = startLanguage();
beginFirstPage();
await speaking;
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={THEME}
      cssVariablesResolver={resolveCssVariables}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemes}
    >
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
