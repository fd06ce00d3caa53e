// Written in old syntax on purpose: it has to be readable by the Node that it refuses.
const WANTED = [20, 19];

/**
 * The complaint about a Node version, or null when it will do.
 * @param {string} version such as `20.19.0`
 */
export function complainAboutNode(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major > WANTED[0] || (major === WANTED[0] && minor >= WANTED[1])) return null;
  return `Onceover needs Node ${WANTED.join('.')} or later; this is Node ${version}. Install a newer one and run the command again.`;
}

/** Ends the process with a clear sentence when Node is too old. Call it before importing anything else. */
export function requireNode() {
  const complaint = complainAboutNode(process.versions.node);
  if (!complaint) return;
  console.error(complaint);
  process.exit(1);
}
