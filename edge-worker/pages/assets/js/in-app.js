// Whether the page is inside an app's own browser: it works there, but some sign-ins refuse to, and closing the app closes it.

const APPS = /; wv\)|\bFBA[NV]\b|\bInstagram\b|\bLine\/|\bMicroMessenger\b|\bSnapchat\b|\bTikTok\b|musical_ly|\bTwitter for\b|\bLinkedInApp\b|\bGSA\//i;

/** @param {string} agent what the browser says of itself */
export const inApp = (agent) => APPS.test(agent) || (/\b(iPhone|iPad)\b/.test(agent) && /AppleWebKit/.test(agent) && !/Safari\//.test(agent));
