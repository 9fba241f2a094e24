/** A program in a link: its text, compressed, and the torch version, in the fragment, which no server gets to see. */

export interface Shared {
  readonly text: string;
  readonly torch: string | null;
}

export async function fragmentOf({ text, torch }: Shared): Promise<string> {
  const packed = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const written = btoa(binary(packed));
  const parts = new URLSearchParams({ code: written.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") });
  if (torch !== null) parts.set("torch", torch);
  return `#${parts}`;
}

/** What a fragment holds; null where it holds no program, or a damaged one. */
export async function sharedIn(fragment: string): Promise<Shared | null> {
  const parts = new URLSearchParams(fragment.replace(/^#/, ""));
  const written = parts.get("code");
  if (written === null) return null;
  try {
    const packed = Uint8Array.from(atob(written.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
    const bytes = await through(packed, new DecompressionStream("deflate-raw"));
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), torch: parts.get("torch") };
  } catch {
    return null;
  }
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

function binary(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}
