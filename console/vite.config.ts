import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Writes the compressed forms beside every file, as small as they get, so that the server never compresses them. */
function precompress(): Plugin {
  let folder = '';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    closeBundle() {
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/\.(js|css|html|svg)$/.test(entry.name)) continue;
        const path = join(entry.parentPath, entry.name);
        const plain = readFileSync(path);
        if (plain.length < 512) continue;
        writeFileSync(`${path}.gz`, gzipSync(plain, { level: 9 }));
        writeFileSync(`${path}.br`, brotliCompressSync(plain, { params: { [zlib.BROTLI_PARAM_QUALITY]: 10 } }));
      }
    },
  };
}

/** Everything that is loaded comes from this origin; file names carry their content's hash, so they may be kept for ever. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), precompress()],
  resolve: { dedupe: ['react', 'react-dom', '@mantine/core', '@mantine/hooks'] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    cssTarget: 'chrome120',
    // Inlined files would need data: in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        // A browser has six connections to us: a few large files come sooner than fifty small ones.
        codeSplitting: {
          groups: [
            // Modules of every page: libraries, which change seldom, and the console's own, beside the entry itself.
            { name: 'base', test: /node_modules/, tags: ['$initial'], priority: 40 },
            {
              name: 'frame',
              test: /console[\\/]src[\\/](?!main\.tsx|app[\\/]router\.tsx)/,
              tags: ['$initial'],
              priority: 30,
            },
            // Modules of many pages.
            { name: 'parts', test: /node_modules[\\/](?!echarts|zrender)/, minShareCount: 12, priority: 20 },
            { name: 'shared', test: /console[\\/]src[\\/]/, minShareCount: 12, priority: 10 },
          ],
        },
      },
    },
  },
});
