import multiprocessing


def work(queue):
    answer = 6 * 7
    queue.put(answer)  # in child


if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    child = context.Process(target=work, args=(queue,))
    child.start()
    print("answer", queue.get())
    child.join()
