/** Names the headings of one page, in order, as forges do: `## The page tag` becomes `the-page-tag`, a second one `the-page-tag-1`. */
export function createAnchors(): (title: string) => string {
  const seen = new Map<string, number>();
  return (title) => {
    const slug = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}
