import { useSignal } from "@preact/signals";
import { announce } from "../components/announce.tsx";
import { toRequestError } from "../request-error.ts";
import { signOut } from "./session.ts";

export function SignOutButton() {
  const isBusy = useSignal(false);
  async function leave(): Promise<void> {
    isBusy.value = true;
    try {
      await signOut();
    } catch (error) {
      announce(`You are still signed in. ${toRequestError(error).message}`);
    }
    isBusy.value = false;
  }
  return (
    <button type="button" class="secondary" disabled={isBusy.value} onClick={() => void leave()}>
      Sign out
    </button>
  );
}
