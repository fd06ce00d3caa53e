import { redirect } from 'next/navigation';

/** The desk opens on what waits. */
export default function Home(): never {
  redirect('/queue');
}
