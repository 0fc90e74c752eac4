/** Making elements. Text always goes in as text, so names from a file can never become markup. */

/** An element with attributes, listeners (`on..`) and children; strings become text, null is left out. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key.startsWith('aria-')) element.setAttribute(key, String(value));
    else if (value !== null && value !== false) element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null));
  return element;
}
