import fs from 'node:fs';
import path from 'node:path';

/** What the production build serves, by its own manifests. */
export interface Inventory {
  /** Addresses of pages: `/exceptions/[id]`. */
  pages: string[];
  /** Addresses of route handlers. */
  routes: string[];
  actions: BuiltAction[];
}

export interface BuiltAction {
  /** The id under which the browser calls it. */
  id: string;
  file: string;
  name: string;
  /** Pages that can be asked for it. */
  pages: string[];
}

const BUILD = path.resolve(import.meta.dirname, '../.next/standalone/.next');
const read = (name: string): unknown => JSON.parse(fs.readFileSync(path.join(BUILD, name), 'utf8'));

interface ActionEntry {
  workers: Record<string, unknown>;
  filename: string;
  exportedName: string;
}

export function builtInventory(): Inventory {
  const addresses = read('app-path-routes-manifest.json') as Record<string, string>;
  const of = (kind: string) =>
    Object.entries(addresses)
      .filter(([file, address]) => file.endsWith(`/${kind}`) && !address.startsWith('/_')) // the framework's own
      .map(([, address]) => address)
      .sort();
  const { node, edge } = read('server/server-reference-manifest.json') as Record<
    'node' | 'edge',
    Record<string, ActionEntry>
  >;
  const actions = Object.entries({ ...node, ...edge }).map(([id, entry]) => ({
    id,
    file: entry.filename,
    name: entry.exportedName,
    pages: Object.keys(entry.workers).map((worker) => addressOf(worker, addresses)),
  }));
  return { pages: of('page'), routes: of('route'), actions };
}

function addressOf(worker: string, addresses: Record<string, string>): string {
  const address = addresses[worker.replace(/^app/, '')];
  if (address === undefined) throw new Error(`the build serves no page for ${worker}`);
  return address;
}
